/** Which settings of a project are dangerous, and what the collector finds in a hostile repository. */

import { workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join, relative } from "node:path";
import { trustItems } from "../src/trust/collect.ts";
import { dangerousIn } from "../src/trust/dangerous.ts";

const DANGEROUS: Readonly<Record<string, unknown>> = {
  "providers.x.baseUrl": "http://evil",
  "providers.x.apiKey": "K",
  "providers.x.headers": { a: "b" },
  "auth.broker.url": "http://evil",
  apiKeyHelper: "evil",
  shellPath: "/evil",
  shellPrefix: "evil",
  "bash.shell": "evil",
  "theme.dark": "!evil",
  caFile: "/evil",
  "network.proxy": "http://evil",
  hooks: { pre: [] },
  extensions: ["./evil.ts"],
  mcpServers: { x: {} },
  enableAllProjectMcpServers: true,
  "lsp.servers.ts.command": "evil",
  "lsp.typescript.args": ["x"],
  "dap.node.command": "evil",
  "share.handler": "evil",
  env: { PATH: "." },
  "tools.approvalMode": "yolo",
  "tools.approval.bash": "allow",
  "tools.childEnv.pass": ["KEY"],
  "permissions.allow": ["*"],
  "sandbox.mode": "off",
  "secrets.enabled": false,
  "python.interpreter": "evil",
  "statusLine.command": "evil",
  "export.command": "evil",
};
const HARMLESS: Readonly<Record<string, unknown>> = {
  theme: "dark",
  "compaction.enabled": true,
  "retry.maxRetries": 3,
  modelRoles: { default: "a/b" },
  defaultThinkingLevel: "high",
  "images.autoResize": false,
  "lsp.enabled": true,
  disabledProviders: ["claude"],
};

test.each(Object.entries(DANGEROUS))("%s of a project needs consent", (path, value) => {
  expect(dangerousIn({ [path]: value }).map((danger) => danger.path)).toEqual([path]);
  const nested = path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  expect(dangerousIn(nested)).toHaveLength(1);
});

test("what only changes how omp looks or works needs none; depth hides nothing", () => {
  expect(dangerousIn(HARMLESS)).toEqual([]);
  let deep: unknown = { shellPath: "x" };
  for (let at = 0; at < 100; at++) deep = { a: deep };
  expect(dangerousIn(deep)).toHaveLength(1);
});

const CODE = "export default 1;";
const FILES: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  ".omp/hooks/pre/x.ts": ["hook", CODE],
  ".omp/hooks/post/x.sh": ["hook", "touch x"],
  ".omp/tools/x.py": ["tool", "x"],
  ".omp/tools/y/index.ts": ["tool", CODE],
  ".omp/extensions/x.ts": ["extension-module", CODE],
  ".omp/extensions/y/index.js": ["extension-module", CODE],
  ".omp/extensions/z/gemini-extension.json": ["extension", "{}"],
  ".omp/commands/c/index.ts": ["slash-command", CODE],
  ".claude/commands/c.md": ["slash-command", "Do !`evil`"],
  ".omp/mcp.json": ["mcp-server", '{"mcpServers":{"x":{"command":"evil","args":["1"]}}}'],
  ".mcp.json": ["mcp-server", '{"mcpServers":{"x":{"url":"http://evil"}}}'],
  ".cursor/mcp.json": ["mcp-server", '{"mcpServers":{"x":{"command":"evil"}}}'],
  ".vscode/mcp.json": ["mcp-server", '{/* c */"servers":{"x":{"command":"evil"}}}'],
  "opencode.json": ["mcp-server", '{"mcp":{"x":{"command":["evil"]}}}'],
  ".codex/config.toml": ["mcp-server", '[mcp_servers.x]\ncommand = "evil"\n'],
  ".omp/config.yml": ["settings", "shellPath: evil\ntheme: dark\n"],
  ".omp/settings.json": ["settings", '{"extensions":["./x.ts"]}'],
  ".claude/settings.json": ["settings", '{"hooks":{"PreToolUse":[]},"apiKeyHelper":"evil"}'],
  ".omp/models.yml": ["settings", "providers: { x: { baseUrl: http://evil } }"],
  ".omp/lsp.json": ["settings", '{"servers":{"x":{"command":"evil"}}}'],
  ".gemini/settings.json": ["settings", "{ broken"],
  "package.json": ["extension", '{"omp":{"extensions":["./x.ts"]}}'],
  ".env": ["env", "A=1"],
  ".git/hooks/pre-commit": ["git", "evil"],
};

test("the collector names every way, once, with its kind and why", async () => {
  const files = Object.fromEntries(Object.entries(FILES).map(([path, [, text]]) => [path, text]));
  await using place = await workspace({ git: true });
  for (const [path, text] of Object.entries(files)) await place.write(path, text);
  await place.write(".omp/commands/plain.md", "Just words, and a `code span`.");
  await place.git("config", "core.sshCommand", "evil");
  const items = trustItems(placeOf(place), { folders: {}, items: [] });
  const found = items.map(({ path, kind, name }) => [relative(place.path, path), kind, name]);
  const wanted = Object.entries(FILES).map(([path, [kind]]) => [path, kind]);
  expect(found.map(([path, kind]) => `${path} ${kind}`).sort()).toEqual(
    [...wanted.map((row) => row.join(" ")), ".git/config git", ".omp/x.ts extension-module"].sort(),
  );
  expect(items.every(({ why, state }) => Boolean(why) && state === "new")).toBe(true);
  const server = items.find(({ path }) => path.endsWith(".omp/mcp.json"));
  expect(server).toMatchObject({ name: "x", why: "runs evil 1" });
  // Below the root the same are found, but for what the settings there name.
  await place.write("a/b/file", "");
  expect(trustItems(placeOf(place, "a/b"), { folders: {}, items: [] })).toHaveLength(
    items.length - 1,
  );
});

test("YAML that grows without end, or contains itself, is held to its file", async () => {
  const layers = Array.from(
    { length: 9 },
    (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`)}]`,
  );
  for (const text of [["l0: &l0 [x]", ...layers].join("\n"), "a: &a\n  b: *a\n"]) {
    await using place = await workspace({ files: { ".omp/config.yml": text } });
    const [item] = trustItems(placeOf(place), { folders: {}, items: [] });
    expect(item).toMatchObject({
      kind: "settings",
      parts: { ".omp/config.yml": expect.any(String) },
    });
  }
});

test("consent to settings holds until a field that matters has changed", async () => {
  await using place = await workspace();
  const write = (text: string) => place.write(".omp/config.yml", text);
  const look = () => trustItems(placeOf(place), decisions)[0];
  let decisions = { folders: {}, items: [] as never[] };
  await write("shellPath: a\ntheme: dark\n");
  const first = look()!;
  decisions = { folders: {}, items: [{ ...first, time: "", omp: "" } as never] };
  expect(look()!.state).toBe("trusted");
  await write("# new\ntheme: light\nshellPath: a\n");
  expect(look()!.state).toBe("trusted");
  await write("shellPath: b\nhooks: []\n");
  expect(look()).toMatchObject({
    state: "changed",
    change: "changed: shellPath; new: hooks",
  });
});

function placeOf({ path, home }: Workspace, below = "") {
  return { cwd: join(path, below), home, agentDir: join(home, ".omp/agent") };
}
