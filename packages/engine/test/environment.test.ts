/** The variables of a run: five places, one parser, and names that a repository may not set. */

import { log } from "@omp/std";
import { say, turn, workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { dangerOfName, isSecretVariable } from "../src/environment/names.ts";
import { loadEnvironment } from "../src/environment/load.ts";
import { parseEnvironment } from "../src/environment/parse.ts";
import { pathsOf, type Environment } from "../src/paths.ts";
import { stage } from "./stage.ts";

const PLACES = {
  project: ".env",
  agent: "../home/.omp/agent/.env",
  root: "../home/.omp/.env",
  home: "../home/.env",
};

async function load(place: Workspace, environment: Environment = {}, isTrusted = true) {
  const secrets: string[] = [];
  const loaded = await loadEnvironment({
    environment,
    cwd: place.path,
    paths: pathsOf(environment, place.home),
    isFolderTrusted: () => Promise.resolve(isTrusted),
    onSecret: (value) => void secrets.push(value),
  });
  return { ...loaded, secrets };
}

test("ENV-001 process, project, agent, configuration, home: a file only fills what is not set yet", async () => {
  await using place = await workspace();
  const levels = Object.entries(PLACES);
  for (const [level, file] of levels) {
    // Each level brings the name, and one that only it and the weaker ones have.
    const at = levels.findIndex(([name]) => name === level);
    const names = levels.slice(0, at + 1).map(([name]) => `FROM_${name.toUpperCase()}=${level}`);
    await place.write(file, ["SAME=" + level, ...names].join("\n"));
  }
  const process = { SAME: "process", FROM_PROCESS: "process" };
  expect((await load(place, process)).environment).toEqual({
    SAME: "process",
    FROM_PROCESS: "process",
    FROM_PROJECT: "project",
    FROM_AGENT: "agent",
    FROM_ROOT: "root",
    FROM_HOME: "home",
  });
  for (const [level, file] of levels) {
    expect((await load(place)).environment["SAME"]).toBe(level);
    await place.write(file, "");
  }
  expect((await load(place)).environment["SAME"]).toBeUndefined();
});

test("ENV-001 an empty variable of the process is set: files do not fill it", async () => {
  await using place = await workspace({ files: { [PLACES.home]: "A=x" } });
  expect((await load(place, { A: "" })).environment["A"]).toBe("");
});

test("ENV-002 inside one file OMP_X is PI_X too, and fills it like any other name", async () => {
  await using place = await workspace();
  await place.write(PLACES.agent, "OMP_NO_PTY=1\nOMP_A=omp\nPI_A=own");
  await place.write(PLACES.root, "OMP_NO_PTY=2\nOMP_B=root");
  const { environment } = await load(place, { PI_B: "process" });
  expect(environment).toMatchObject({
    PI_NO_PTY: "1",
    OMP_NO_PTY: "1",
    PI_A: "own",
    PI_B: "process",
  });
});

test("the places are known before a file is read: no file moves them", async () => {
  await using place = await workspace();
  await place.write(PLACES.home, "PI_CODING_AGENT_DIR=/elsewhere\nOMP_CONFIG_DIR=x\nA=1");
  const { environment } = await load(place);
  expect(environment).toEqual({ A: "1", OMP_CONFIG_DIR: "x" });
});

test("the file of a repository counts only where it is trusted", async () => {
  await using place = await workspace({ files: { [PLACES.project]: "A=1" } });
  expect((await load(place, {}, false)).environment).toEqual({});
  const { environment, isFromProject } = await load(place);
  expect(environment).toEqual({ A: "1" });
  expect([isFromProject("A"), isFromProject("B")]).toEqual([true, false]);
});

const FORBIDDEN =
  "ANTHROPIC_BASE_URL OPENAI_BASE_URL AZURE_OPENAI_BASE_URL AZURE_OPENAI_RESOURCE_NAME FOUNDRY_BASE_URL " +
  "CLAUDE_CODE_USE_FOUNDRY ANTHROPIC_CUSTOM_HEADERS OLLAMA_HOST KIMI_OAUTH_HOST SEARXNG_ENDPOINT HTTP_PROXY " +
  "https_proxy ALL_PROXY NO_PROXY SMITHERY_API_URL OMP_AUTH_BROKER_URL OMP_AUTH_BROKER_TOKEN " +
  "AWS_ENDPOINT_URL_STS AWS_CONTAINER_CREDENTIALS_FULL_URI AWS_REGION GOOGLE_CLOUD_LOCATION GCE_METADATA_HOST " +
  "PI_SHELL_PREFIX CLAUDE_CODE_SHELL_PREFIX PI_SUBPROCESS_CMD PI_PY PUPPETEER_EXECUTABLE_PATH EDITOR VISUAL " +
  "SHELL PATH HOME PI_PACKAGE_DIR PI_CODING_AGENT_DIR PI_CONFIG_DIR PI_NATIVE_VARIANT PI_TUI_WRITE_LOG " +
  "LD_PRELOAD DYLD_INSERT_LIBRARIES NODE_OPTIONS BUN_OPTIONS GIT_SSH_COMMAND BASH_ENV ENV PYTHONPATH " +
  "PYTHONSTARTUP PERL5OPT RUBYOPT XDG_CONFIG_HOME TMPDIR NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED " +
  "SSL_CERT_FILE CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY AWS_BEDROCK_SKIP_AUTH AWS_CONFIG_FILE " +
  "AWS_PROFILE AWS_ROLE_ARN AWS_WEB_IDENTITY_TOKEN_FILE GOOGLE_APPLICATION_CREDENTIALS PI_BLOCKED_AGENT";

test("ENV-001 no repository says where we connect, what we execute or whom we trust", async () => {
  const names = FORBIDDEN.split(" ");
  await using place = await workspace();
  await place.write(PLACES.project, names.map((name) => `${name}=evil`).join("\n"));
  const { environment, problems } = await load(place);
  expect(environment).toEqual({});
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/\.env: not used: ANTHROPIC_BASE_URL, .*HTTP_PROXY/);
  await place.write(PLACES.project, "DATABASE_URL=x\nPORT=1\nSSL_CERT_FILE=x\n");
  expect(await load(place)).toMatchObject({ environment: {}, problems: [] });
  await place.write(PLACES.agent, names.map((name) => `${name}=mine`).join("\n"));
  const own = (await load(place)).environment;
  for (const name of names.filter((one) => !/^PI_CO(?:NFIG|DING_AGENT)_DIR$/.test(one))) {
    expect({ name, value: own[name] }).toEqual({ name, value: "mine" });
  }
});

test("a repository may bring keys and choices", () => {
  const names =
    "ANTHROPIC_API_KEY OPENAI_API_KEY HF_TOKEN ANTHROPIC_OAUTH_TOKEN AWS_BEARER_TOKEN_BEDROCK GOOGLE_CLOUD_PROJECT " +
    "CLOUDFLARE_AI_GATEWAY_API_KEY PI_SMOL_MODEL PI_NO_TITLE PI_NO_PTY PI_DEBUG PI_EDIT_VARIANTS AWS_ACCESS_KEY_ID";
  expect(names.split(" ").filter((name) => dangerOfName(name) !== undefined)).toEqual([]);
});

test("the parser: quotes, export, comments, several lines, no expansion, BOM and CRLF", () => {
  const text = [
    "\uFEFF# a comment",
    "PLAIN = a b  # gone",
    "HASH=a#b",
    "export EXPORTED=1",
    "  SINGLE='a\\n$HOME #x' # gone",
    'DOUBLE="a\\n\\"b\\" \\$HOME ${HOME} $(id)"',
    'BACK=`it\'s "so"`',
    'KEY="-----BEGIN',
    'two"',
    "EMPTY=",
    "TWICE=1",
    "TWICE=2",
    "lower=x",
    "LAST=end",
  ].join("\r\n");
  const { values, problems } = parseEnvironment(text);
  expect(Object.fromEntries(values)).toEqual({
    PLAIN: "a b",
    HASH: "a#b",
    EXPORTED: "1",
    SINGLE: "a\\n$HOME #x",
    DOUBLE: 'a\n"b" \\$HOME ${HOME} $(id)',
    BACK: 'it\'s "so"',
    KEY: "-----BEGIN\ntwo",
    EMPTY: "",
    TWICE: "2",
    lower: "x",
    LAST: "end",
  });
  expect(problems).toEqual([]);
});

test("what is wrong is told by line, never with the text, and the rest counts", () => {
  const { values, problems } = parseEnvironment(
    'A=1\nsk-secret-value\n"x=1\nB="1" secret\n__proto__=x\nC="open\nD=2',
  );
  expect(Object.fromEntries(values)).toMatchObject({ A: "1", D: "2" });
  expect(values.get("__proto__")).toBe("x");
  expect(problems).toEqual([
    { line: 2, message: "is not NAME=value" },
    { line: 3, message: "is not NAME=value" },
    { line: 4, message: "something follows the quoted value of B" },
    { line: 6, message: "the quote of C is never closed" },
  ]);
  expect(parseEnvironment("A=1\nB=\0\nC=1")).toEqual({
    values: new Map(),
    problems: [{ line: 2, message: "has a zero byte; nothing of the file is used" }],
  });
});

test("a pipe, a folder and a huge file are no .env", async () => {
  await using place = await workspace();
  mkdirSync(`${place.path}/.env`);
  await place.write(PLACES.agent, "A=".padEnd(2 * 1024 * 1024, "x"));
  mkdirSync(`${place.home}/.omp`, { recursive: true });
  expect(Bun.spawnSync(["mkfifo", `${place.home}/.env`]).exitCode).toBe(0);
  const { environment, problems } = await load(place);
  expect(environment).toEqual({});
  expect(problems.map((text) => text.replace(place.home, "~"))).toEqual([
    "~/.omp/agent/.env: is larger than 1048576 bytes",
    "~/.env: is not a file",
  ]);
});

test("ENV-007 a value is a secret by the name of its variable, wherever it comes from", async () => {
  await using place = await workspace({ files: { [PLACES.home]: "EXA_API_KEY=from-file-1" } });
  const { secrets } = await load(place, {
    GITHUB_TOKEN: "t",
    AWS_SECRET_ACCESS_KEY: "a",
    PERPLEXITY_COOKIES: "c",
    SEARXNG_BASIC_PASSWORD: "p",
    CLAUDE_CODE_CLIENT_KEY: "k",
    CLAUDE_CODE_CLIENT_CERT: "cert",
    AWS_BEARER_TOKEN_BEDROCK: "b",
    PATH: "/bin",
    PI_TASK_MAX_OUTPUT_BYTES: "1",
  });
  expect(secrets.sort()).toEqual(["a", "b", "c", "cert", "from-file-1", "k", "p", "t"]);
  expect(isSecretVariable("KEYBOARD")).toBe(false);
});

test("ENV-007 no secret of the environment or of a file reaches the log of a session", async () => {
  await using set = await stage([turn(say("ok"))]);
  const secrets = {
    EXA_API_KEY: "canary-exa-000001",
    GITHUB_TOKEN: "canary-github-0001",
    AWS_SECRET_ACCESS_KEY: "canary-aws-0000001",
    CLAUDE_CODE_CLIENT_CERT: "canary-cert-000001",
  };
  await set.place.write(PLACES.home, "TAVILY_API_KEY=canary-tavily-0001\n");
  const env = { ...secrets, PI_DEBUG: "1", PLAIN: "canary-plain-00001" };
  await using booted = await set.boot({ env });
  await booted.prompt("hi");
  log.debug("probe", { all: [...Object.values(secrets), "canary-tavily-0001", env.PLAIN] });
  const written = readFileSync(log.file!, "utf8");
  expect(written.match(/canary-[a-z]+/g)).toEqual(["canary-plain"]);
});
