/** `omp models` of the built binary: lists for people and for programs. */

import { runOmp, workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";

const QUIET = {
  OLLAMA_BASE_URL: "http://127.0.0.1:9",
  LLAMA_CPP_BASE_URL: "http://127.0.0.1:9",
  LM_STUDIO_BASE_URL: "http://127.0.0.1:9/v1",
};

const omp = (place: Workspace, args: readonly string[], env: Record<string, string> = {}) =>
  runOmp(args, { cwd: place.path, home: place.home, env: { ...QUIET, ...env } });

const MODELS = `providers:
  mine:
    baseUrl: http://127.0.0.1:9/v1
    apiKey: MY_KEY
    api: openai-completions
    models:
      - id: first-model
        name: The First
        contextWindow: 1000
      - id: claude-haiku-4-5
`;

async function configured(): Promise<Workspace> {
  const place = await workspace();
  await place.write("../home/.omp/agent/models.yml", MODELS);
  return place;
}

test("PM-01 models of <agentDir>/models.yml are listed", async () => {
  await using place = await configured();
  const listed = await omp(place, ["--list-models"]);
  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toContain("mine/first-model");
  await using moved = await workspace();
  await moved.write("agent/models.yml", MODELS);
  const there = await omp(moved, ["models"], { PI_CODING_AGENT_DIR: `${moved.path}/agent` });
  expect(there.stdout).toContain("mine/first-model");
});

test("CLI-11 the list has a canonical section and rows of providers; a search narrows both", async () => {
  await using place = await configured();
  const key = { ANTHROPIC_API_KEY: "test-key-0001" };
  for (const args of [["--list-models"], ["models"], ["models", "ls"]]) {
    const { stdout, exitCode } = await omp(place, args, key);
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith("Canonical\n");
    expect(stdout).toMatch(/^ {2}claude-haiku-4-5 +anthropic, mine$/m);
    expect(stdout).toMatch(/^anthropic\n {2}anthropic\/claude/m);
    expect(stdout).toMatch(/^mine\n {2}mine\/first-model +The First +1K/m);
  }
  const { stdout } = await omp(place, ["--list-models", "the first"], key);
  expect(stdout).toMatch(/^mine\n {2}mine\/first-model +The First +1K +16K\n$/);
  const haiku = await omp(place, ["--list-models", "haiku"], key);
  expect(haiku.stdout).toMatch(
    /^Canonical\n(.*\n)*anthropic\n(.*\n)*mine\n {2}mine\/claude-haiku-4-5/,
  );
  expect(haiku.stdout).not.toContain("opus");
});

test("CLI-39 CLI-49 ls, find, refresh and a provider, as one JSON document of rows", async () => {
  await using place = await configured();
  const rows = async (...args: string[]) => {
    const { stdout, exitCode } = await omp(place, ["models", ...args, "--json"]);
    expect(exitCode).toBe(0);
    return JSON.parse(stdout) as { selector: string; available: boolean }[];
  };
  const [first] = await rows();
  expect(first).toEqual({
    provider: "mine",
    id: "first-model",
    selector: "mine/first-model",
    name: "The First",
    contextWindow: 1000,
    maxTokens: 16_384,
    reasoning: false,
    thinking: null,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    canonical: "first-model",
    available: true,
  } as never);
  expect((await rows("ls")).map(({ selector }) => selector)).toEqual([
    "mine/first-model",
    "mine/claude-haiku-4-5",
  ]);
  expect((await rows("refresh")).length).toBe(2);
  const found = await rows("find", "haiku", "4-5");
  expect(found.map(({ selector }) => selector)).toContain("anthropic/claude-haiku-4-5");
  expect(found.find(({ selector }) => selector.startsWith("anthropic/"))!.available).toBe(false);
  const own = await rows("anthropic");
  expect(own.length).toBeGreaterThan(3);
  expect(own.every(({ selector }) => selector.startsWith("anthropic/"))).toBe(true);
  expect((await rows("--all")).length).toBeGreaterThan(1000);
  expect(await rows("find", "no-such-model")).toEqual([]);
  expect(await rows("no-such-provider")).toEqual([]);
});

test("nothing found is no error, and says what to do", async () => {
  await using place = await workspace();
  const none = await omp(place, ["models"]);
  expect(none).toMatchObject({ exitCode: 0, stdout: "" });
  expect(none.stderr).toContain("set a provider's key");
  const typo = await omp(place, ["models", "antropic"]);
  expect(typo).toMatchObject({ exitCode: 0, stdout: "" });
  expect(typo.stderr).toContain("Did you mean anthropic?");
});

test("a broken models.yml is named with its line; the rest is listed", async () => {
  await using place = await workspace();
  await place.write("../home/.omp/agent/models.yml", `${MODELS}  other:\n    apikey: x\n`);
  const { stdout, stderr, exitCode } = await omp(place, ["models"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("mine/first-model");
  expect(stderr).toMatch(/models\.yml:12: providers\.other\.apikey: .*Did you mean apiKey\?/);
});

test("listing runs no command of models.yml", async () => {
  await using place = await workspace();
  await place.write(
    "../home/.omp/agent/models.yml",
    MODELS.replace("MY_KEY", '"!touch ran; echo k"').replace(
      "api: openai",
      'headers: { X-A: "!touch ran" }\n    api: openai',
    ),
  );
  const { stdout } = await omp(place, ["models"]);
  expect(stdout).toContain("mine/first-model");
  expect(place.exists("ran")).toBe(false);
});

test("models: help, wrong words and unknown flags", async () => {
  await using place = await workspace();
  const help = await omp(place, ["models", "--help"]);
  expect(help.stdout).toContain("Usage: omp models [ls | find <text> | refresh | <provider>]");
  expect(help.stdout).toContain("--json");
  expect((await omp(place, ["models", "find"])).exitCode).toBe(1);
  expect((await omp(place, ["models", "ls", "more"])).exitCode).toBe(1);
  expect((await omp(place, ["models", "--jsn"])).exitCode).toBe(2);
});
