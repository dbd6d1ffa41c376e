/** Sessions whose program ended well, and whose program did not. */

import {
  callTool,
  readJsonl,
  say,
  scriptedModel,
  sessionFiles,
  startOmp,
  turn,
  workspace,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { chat, run } from "./stage.ts";

interface Entry {
  readonly type: string;
  readonly customType?: string;
  readonly data?: unknown;
  readonly message?: { readonly role: string; readonly stopReason?: string };
}

async function entries(place: Workspace): Promise<readonly Entry[]> {
  const [file, ...others] = await sessionFiles(place.home);
  expect(others).toEqual([]);
  return (await readJsonl(file!)) as Entry[];
}

/** Started, and killed as soon as this stands in its JSON lines. */
async function killedAt(place: Workspace, model: ScriptedModel, mark: string) {
  await using omp = startOmp(["--mode", "json", "--yolo", "hi"], {
    cwd: place.path,
    home: place.home,
    env: model.environment(),
  });
  await omp.closeStdin();
  await omp.waitForStdout(mark);
  omp.kill("SIGKILL");
  expect((await omp.ended).signal).toBe("SIGKILL");
}

test("SESS-72 a fresh file begins with the choices and ends with session_exit", async () => {
  await using model = await scriptedModel([turn(say("one"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "hi"]);
  const written = await entries(place);
  expect(written.map(({ type, message }) => message?.role ?? type)).toEqual([
    "title",
    "session",
    "model_change",
    "thinking_level_change",
    "user",
    "assistant",
    "custom",
  ]);
  expect(written.at(-1)).toMatchObject({
    customType: "session_exit",
    data: { kind: "normal", reason: "exit", recordedAt: expect.any(String) },
  });
});

test("SESS-46 killed during the answer: the next prompt finds the turn as aborted, and the model does not see it", async () => {
  await using model = await scriptedModel([
    turn(say("I have begun and will not end")).with({ textPiece: 4, betweenMs: 300 }),
    turn(say("two")),
  ]);
  await using place = await workspace();
  await killedAt(place, model, "text_delta");
  expect((await entries(place)).some(({ customType }) => customType === "session_exit")).toBe(
    false,
  );
  await run(place, model, ["-c", "-p", "again"]);
  const messages = (await entries(place)).flatMap(({ message }) => (message ? [message] : []));
  expect(messages.map(({ role, stopReason }) => `${role} ${stopReason ?? ""}`.trim())).toEqual([
    "user",
    "assistant aborted",
    "user",
    "assistant stop",
  ]);
  expect(chat(model, 1)).toEqual(["user: hiagain"]);
});

test("killed during a tool: the call is passed over, the turn is aborted, and the provider accepts", async () => {
  await using model = await scriptedModel([
    turn(say("Let me see."), callTool("bash", { command: "sleep 600" })),
    turn(say("two")),
  ]);
  await using place = await workspace();
  await killedAt(place, model, "tool_execution_start");
  const { exitCode } = await run(place, model, ["-c", "-p", "again"]);
  expect(exitCode).toBe(0);
  expect(chat(model, 1)).toEqual(["user: hi", "assistant: Let me see.", "user: again"]);
  const messages = (await entries(place)).flatMap(({ message }) => (message ? [message] : []));
  expect(messages[2]).toMatchObject({ role: "assistant", stopReason: "aborted" });
});
