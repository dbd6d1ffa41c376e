/** Pictures and long outputs of the built binary: where they are kept, how they come back, who may see them. */

import {
  callTool,
  readJsonl,
  say,
  scriptedModel,
  sessionFiles,
  turn,
  workspace,
  type ScriptedModel,
} from "@omp/testkit";
import { seededRandom } from "@omp/std";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { run } from "./stage.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");

interface ToolResultBlock {
  readonly type: string;
  readonly content: string | readonly { readonly text?: string }[];
  readonly is_error?: boolean;
}

/** The text of the tool result that a request ends with. */
function resultIn(model: ScriptedModel, request: number): string {
  const { messages } = model.requests[request]!.body as {
    messages: readonly { content: readonly ToolResultBlock[] }[];
  };
  const { content } = messages.at(-1)!.content.findLast(({ type }) => type === "tool_result")!;
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

/** An image that is not small however it is packed. */
function noise(): Promise<Uint8Array> {
  const [width, height] = [40, 40];
  const bytes = new Uint8Array(54 + width * 3 * height);
  const view = new DataView(bytes.buffer);
  bytes.set(seededRandom(7).bytes(width * 3 * height), 54);
  bytes.set([0x42, 0x4d]);
  for (const [at, value] of [
    [2, bytes.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return new Bun.Image(bytes).png().bytes();
}

test("SESS-04 STOR-01 STOR-31 a long output is an artifact beside its session, and is read back from there", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "seq 20000" })),
    turn(callTool("read", { path: "artifact://0" })),
    turn(callTool("read", { path: "artifact://0:19999" })),
    turn(callTool("bash", { command: "seq 30000" })),
    turn(say("done")),
    turn(callTool("bash", { command: "seq 40000" })),
    turn(say("done")),
  ]);
  await using place = await workspace();
  await run(place, model, ["--yolo", "-p", "go"]);
  const [session] = await sessionFiles(place.home);
  const folder = session!.slice(0, -".jsonl".length);
  expect(readFileSync(join(folder, "0.bash.log"), "utf8")).toBe(numbered(20_000));
  expect(resultIn(model, 1)).toEndWith(
    `19999\n20000\n\n[Showing lines 11468-20000 of 20000 (108894 bytes). Full: artifact://0]`,
  );
  expect(resultIn(model, 2)).toStartWith("1\n2\n3\n");
  expect(resultIn(model, 2)).toEndWith(
    "300\n\n[Showing lines 1-300 of 20000. Use :301 to continue]",
  );
  expect(resultIn(model, 3)).toBe("19999\n20000");
  expect(readdirSync(folder).sort()).toEqual(["0.bash.log", "1.bash.log"]);

  await run(place, model, ["--yolo", "-c", "-p", "again"]);
  expect(readFileSync(join(folder, "2.bash.log"), "utf8")).toBe(numbered(40_000));
});

test("STOR-09 a session that is not stored leaves no file and no dead link", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "seq 20000" })),
    turn(callTool("read", { path: "artifact://0:19999" })),
    turn(say("done")),
  ]);
  await using place = await workspace();
  await run(place, model, ["--yolo", "--no-session", "-p", "go"]);
  expect(resultIn(model, 1)).toContain("Full: artifact://0]");
  expect(resultIn(model, 2)).toBe("19999\n20000");
  expect(existsSync(join(place.home, ".omp/agent/sessions"))).toBe(false);
});

test("SET-066 SET-067 SET-068 SET-069 SET-070 settings say how much of an output the model sees", async () => {
  const settings = [
    "outputMaxColumns: 20",
    "artifactSpillThreshold: 2",
    "artifactHeadBytes: 1",
    "artifactTailBytes: 1",
    "artifactTailLines: 10",
  ];
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "printf '%0100d\\n' 7" })),
    turn(callTool("bash", { command: "seq 5" })),
    turn(callTool("bash", { command: "seq 1000" })),
    turn(say("done")),
  ]);
  await using place = await workspace();
  mkdirSync(join(place.home, ".omp/agent"), { recursive: true });
  writeFileSync(
    join(place.home, ".omp/agent/config.yml"),
    `tools:\n${settings.map((line) => `  ${line}\n`).join("")}`,
  );
  await run(place, model, ["--yolo", "-p", "go"]);
  expect(resultIn(model, 1)).toBe(
    `${"0".repeat(20)}…\n\n[One long line was cut. Full: artifact://0]`,
  );
  expect(resultIn(model, 2)).toBe("1\n2\n3\n4\n5");
  const [head, tail] = resultIn(model, 3).split(/\n?\[\.\.\. .* left out \.\.\.\]\n/);
  expect(Buffer.byteLength(head!)).toBeWithin(1000, 1025);
  expect(tail).toMatch(/^991\n992\n.*1000\n\n\[Showing lines 1-\d+ and 991-1000 of 1000 .*\]$/s);
});

test("SESS-04 STOR-03 STOR-17 a picture is a blob in the file, and is sent again after a resume", async () => {
  const png = await noise();
  const data = Buffer.from(png).toString("base64");
  await using model = await scriptedModel([turn(say("seen"))], { repeatLast: true });
  await using place = await workspace({ files: { "noise.png": png } });
  await run(place, model, ["-p", "@noise.png", "look"]);
  const [session] = await sessionFiles(place.home);
  const text = readFileSync(session!, "utf8");
  const [, hash] = /"blob:sha256:([0-9a-f]{64})"/.exec(text)!;
  expect(text).not.toContain(data);
  const blobs = join(place.home, ".omp/agent/blobs");
  expect(readdirSync(blobs)).toEqual([hash!]);
  expect(readFileSync(join(blobs, hash!)).equals(png)).toBe(true);

  await run(place, model, ["-p", "@noise.png", "another session"]);
  expect(readdirSync(blobs)).toEqual([hash!]);
  rmSync((await sessionFiles(place.home)).find((path) => path !== session)!);

  await run(place, model, ["-c", "-p", "and now?"]);
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain(data);
  expect(readFileSync(session!, "utf8")).not.toContain(data);
});

test("STOR-18 STOR-19 a missing blob is a warning in the log and a word to the model", async () => {
  await using model = await scriptedModel([turn(say("seen"))], { repeatLast: true });
  await using place = await workspace({ files: { "noise.png": await noise() } });
  await run(place, model, ["-p", "@noise.png", "look"]);
  rmSync(join(place.home, ".omp/agent/blobs"), { recursive: true });
  expect(await run(place, model, ["-c", "-p", "and now?"])).toMatchObject({
    stdout: "seen\n",
    exitCode: 0,
  });
  const body = JSON.stringify(model.requests[1]!.body);
  expect(body).not.toContain("blob:sha256:");
  expect(body).toContain("[An image was here; its file is missing.]");
  expect(body).toContain("look");
  const logs = join(place.home, ".omp/logs");
  const lines = readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), "utf8").split("\n"),
  );
  expect(lines.find((line) => line.includes("blob-missing"))).toContain('"level":"warn"');
  const [session] = await sessionFiles(place.home);
  expect(JSON.stringify(await readJsonl(session!))).toContain("blob:sha256:");
});

test("STOR-43 everything that a session leaves is for its owner alone, whatever the umask", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "seq 20000" })),
    turn(callTool("write", { path: "local://notes/plan.md", content: "the plan" })),
    turn(callTool("read", { path: "local://notes/plan.md" })),
    turn(say("done")),
  ]);
  await using place = await workspace({ files: { "noise.png": await noise() } });
  const before = process.umask(0o022);
  try {
    await run(place, model, ["--yolo", "-p", "@noise.png", "go"]);
  } finally {
    process.umask(before);
  }
  expect(resultIn(model, 3)).toMatch(/^¶local:\/\/notes\/plan\.md#[0-9A-F]{4}\n1:the plan$/);
  const root = join(place.home, ".omp");
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  expect(paths.some((path) => path.endsWith("/0.bash.log"))).toBe(true);
  expect(paths.some((path) => path.endsWith("/local/notes/plan.md"))).toBe(true);
  expect(paths.some((path) => path.includes("/blobs/"))).toBe(true);
  const open = [root, ...paths].filter((path) => {
    const stat = statSync(path);
    return (stat.mode & 0o777) !== (stat.isDirectory() ? 0o700 : 0o600);
  });
  expect(open).toEqual([]);
});
