/** Questions and displays over the pipes of RPC mode, through the port that extensions will use. */

import type { UiPart, UiRequest } from "@omp/engine/protocol";
import { startOmp, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";

const program = join(import.meta.dir, "rpc-dialogs.ts");

type Step = UiRequest | { readonly show: UiPart };
type Ui = { readonly type: string; readonly id?: string; readonly [field: string]: unknown };

/** Plays the steps against a client that answers questions in turn; `undefined` leaves one unanswered. */
async function play(
  steps: readonly Step[],
  answers: readonly (object | undefined)[] = [],
  env: Record<string, string> = {},
) {
  await using place = await workspace();
  await using omp = startOmp([program, JSON.stringify(steps)], {
    cwd: place.path,
    home: place.home,
    env,
    binary: process.execPath,
  });
  const frames = (): Ui[] =>
    omp.stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const questions = () =>
    frames().filter(({ method }) => /^(select|confirm|input|editor)$/.test(String(method)));
  for (const [index, answer] of answers.entries()) {
    await omp.waitForStdout(() => questions().length > index);
    if (answer === undefined) continue;
    const { id } = questions()[index]!;
    await omp.writeStdin(`${JSON.stringify({ type: "extension_ui_response", id, ...answer })}\n`);
  }
  await omp.waitForStdout("all asked");
  const asked = frames();
  // Late and stray answers: nothing may come of them.
  for (const { id } of [...questions(), { id: "zzz" }]) {
    const late = { type: "extension_ui_response", id, confirmed: true, value: "late" };
    await omp.writeStdin(`${JSON.stringify(late)}\n`);
  }
  await omp.closeStdin();
  const { exitCode, stderr } = await omp.ended;
  expect({ exitCode, more: frames().length - asked.length }).toEqual({ exitCode: 0, more: 0 });
  const replies = stderr.trimEnd().split("\n").filter(Boolean);
  return {
    frames: asked.slice(1, -1).map(({ type, id, ...rest }) => {
      expect({ type, id }).toEqual({ type: "extension_ui_request", id: expect.any(String) });
      return rest;
    }),
    /** Told at the end of every script. */
    notice: asked.at(-1),
    ids: asked.slice(1).map(({ id }) => id),
    replies: replies.map((reply) => JSON.parse(reply)),
  };
}

const dialogs = [
  { kind: "select", title: "Pick", options: ["a", "b"], timeoutMs: 30_000 },
  { kind: "confirm", title: "Sure?", message: "It is far.", timeoutMs: 30_000 },
  { kind: "input", title: "Name", placeholder: "feature/..." },
  { kind: "editor", title: "Text", text: "line 1\nline 2" },
] as const;

test("RPC-45 RPC-46 the four dialogs have their fields, and each form of answer arrives as what it is", async () => {
  const { frames, replies, ids } = await play(dialogs, [
    { value: "b" },
    { confirmed: true },
    { value: "feature/rpc" },
    { cancelled: true },
  ]);
  expect(frames).toEqual([
    { method: "select", title: "Pick", options: ["a", "b"], timeout: 30_000 },
    { method: "confirm", title: "Sure?", message: "It is far.", timeout: 30_000 },
    { method: "input", title: "Name", placeholder: "feature/..." },
    { method: "editor", title: "Text", prefill: "line 1\nline 2" },
  ]);
  expect(replies).toEqual([
    { kind: "select", value: "b" },
    { kind: "confirm", accepted: true },
    { kind: "input", value: "feature/rpc" },
    null,
  ]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("RPC-46 RPC-48 an answer of the wrong form, or that was no option, is none", async () => {
  const { replies } = await play(dialogs, [
    { value: "c" },
    { value: "true" },
    { confirmed: true },
    { cancelled: true, timedOut: true },
  ]);
  expect(replies).toEqual([null, null, null, null]);
});

test("RPC-47 a question that nobody answers in time has its default, is taken back, and stays closed", async () => {
  const steps = [{ kind: "confirm", title: "Sure?", message: "?", timeoutMs: 100 }] as const;
  const { frames, replies, ids } = await play(steps, [undefined]);
  expect(replies).toEqual([null]);
  expect(frames).toEqual([
    { method: "confirm", title: "Sure?", message: "?", timeout: 100 },
    { method: "cancel", targetId: ids[0] },
  ]);
});

test("approvals and questions of trust are confirmed like any other", async () => {
  const items = [{ kind: "mcp server", path: ".omp/mcp.json", contentHash: "abc" }];
  const { frames, replies } = await play(
    [
      { kind: "approve", title: "Allow tool: bash", lines: ["{", '  "command": "ls"', "}"] },
      { kind: "trust", title: "Trust this project?", items },
    ],
    [{ confirmed: true }, { confirmed: false }],
  );
  expect(frames).toEqual([
    { method: "confirm", title: "Allow tool: bash", message: '{\n  "command": "ls"\n}' },
    { method: "confirm", title: "Trust this project?", message: "mcp server: .omp/mcp.json" },
  ]);
  expect(replies).toEqual([
    { kind: "approve", accepted: true },
    { kind: "trust", accepted: false },
  ]);
});

const shown: readonly Step[] = [
  { show: { kind: "status", key: "build", text: "green" } },
  { show: { kind: "widget", key: "todo", lines: ["a", "b"] } },
  { show: { kind: "title", title: "omp: work" } },
  { show: { kind: "editor-text", text: "draft" } },
];

test("RPC-44 all methods: only dialogs wait, and one that times out is followed by cancel", async () => {
  const late = { kind: "confirm", title: "Sure?", message: "?", timeoutMs: 50 } as const;
  const { frames, notice } = await play(
    [...shown, ...dialogs, late],
    [{ value: "a" }, { confirmed: false }, { value: "" }, { value: "x" }, undefined],
    { PI_RPC_EMIT_TITLE: "1" },
  );
  expect(frames.map(({ method }) => method)).toEqual([
    ...["setStatus", "setWidget", "setTitle", "set_editor_text"],
    ...["select", "confirm", "input", "editor"],
    ...["confirm", "cancel"],
  ]);
  expect(frames.slice(0, 4)).toEqual([
    { method: "setStatus", statusKey: "build", statusText: "green" },
    { method: "setWidget", widgetKey: "todo", widgetLines: ["a", "b"] },
    { method: "setTitle", title: "omp: work" },
    { method: "set_editor_text", text: "draft" },
  ]);
  expect(notice).toMatchObject({ method: "notify", message: "all asked", notifyType: "info" });
});

test("RPC-49 ENV-116 setTitle is left out unless PI_RPC_EMIT_TITLE says otherwise", async () => {
  const isTold = async (env: Record<string, string>) =>
    (await play(shown, [], env)).frames.some(({ method }) => method === "setTitle");
  expect([
    await isTold({}),
    await isTold({ PI_RPC_EMIT_TITLE: "0" }),
    await isTold({ PI_RPC_EMIT_TITLE: "1" }),
    await isTold({ PI_RPC_EMIT_TITLE: "true" }),
  ]).toEqual([false, false, true, true]);
});
