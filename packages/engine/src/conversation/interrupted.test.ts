import { NO_TOKENS, usageOf, type AssistantMessage, type StopReason } from "@omp/ai/schema";
import { SessionLog, type StoredMessage } from "@omp/session";
import { seededRandom, systemClock } from "@omp/std";
import { expect, test } from "bun:test";
import { modelFrom } from "@omp/ai";
import { facts, vendor } from "../../test/shelf.ts";
import { interruptedAnswer } from "./interrupted.ts";

const model = modelFrom(vendor("house", []), facts("a"), {});

const user: StoredMessage = { role: "user", content: "hi", timestamp: 1 };
const result: StoredMessage = {
  role: "toolResult",
  toolCallId: "c",
  toolName: "bash",
  content: [],
  isError: false,
  timestamp: 1,
};
const answer = (stopReason: StopReason): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "",
  provider: "",
  model: "",
  usage: usageOf(NO_TOKENS, NO_TOKENS),
  stopReason,
  timestamp: 1,
});

function logOf(...messages: StoredMessage[]): SessionLog {
  const log = SessionLog.create({
    cwd: "/",
    folder: undefined,
    clock: systemClock,
    random: seededRandom(1),
  });
  for (const message of messages) log.append({ type: "message", message });
  log.append({ type: "model_change", model: "house/a" });
  return log;
}

const isInterrupted = (log: SessionLog) => interruptedAnswer(log, model, 7) !== undefined;

test("a branch that ends with a question, a call or a result was interrupted; one with an answer was not", () => {
  expect(interruptedAnswer(logOf(user), model, 7)).toMatchObject({
    role: "assistant",
    stopReason: "aborted",
    model: "a",
    timestamp: 7,
  });
  expect(isInterrupted(logOf(user, answer("toolUse")))).toBe(true);
  expect(isInterrupted(logOf(user, answer("toolUse"), result))).toBe(true);
  for (const stop of ["stop", "length", "error", "aborted"] as const) {
    expect(isInterrupted(logOf(user, answer(stop)))).toBe(false);
  }
  expect(isInterrupted(logOf())).toBe(false);
});

test("who goes back to an earlier place has interrupted nothing", () => {
  const log = logOf(user, answer("toolUse"), result, answer("stop"));
  log.moveLeaf(log.entries[2]!.id);
  expect(isInterrupted(log)).toBe(false);
});
