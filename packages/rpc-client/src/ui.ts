/** Questions of omp to the person behind the client. */

import { ignore } from "@omp/std";
import type { InFrame, UiAnswer, UiFrame, UiQuestion, UiTelling } from "./wire/index.ts";

export interface UiHandler {
  /** The signal aborts when omp does not want the answer any more. */
  ask?(question: UiQuestion, signal: AbortSignal): Promise<UiAnswer> | UiAnswer;
  /** Notices, status lines and the like. */
  tell?(telling: UiTelling): void;
}

/** @returns what hears the frames */
export function createUi(
  handler: UiHandler,
  send: (frame: InFrame) => void,
): (frame: UiFrame) => void {
  const asking = new Map<string, AbortController>();

  async function ask(question: UiQuestion): Promise<void> {
    const abort = new AbortController();
    asking.set(question.id, abort);
    const answer = await answerOf(handler, question, abort.signal);
    asking.delete(question.id);
    if (!abort.signal.aborted) {
      send({ type: "extension_ui_response", id: question.id, ...answer });
    }
  }

  return (frame) => {
    switch (frame.method) {
      case "select":
      case "confirm":
      case "input":
      case "editor":
        return void ask(frame);
      case "cancel":
        asking.get(frame.targetId)?.abort();
        return handler.tell?.(frame);
      default:
        return handler.tell?.(frame);
    }
  };
}

/** Nobody to ask, and a handler that fails, are both "no answer": omp must not wait for ever. */
async function answerOf(
  handler: UiHandler,
  question: UiQuestion,
  signal: AbortSignal,
): Promise<UiAnswer> {
  try {
    return (await handler.ask?.(question, signal)) ?? { cancelled: true };
  } catch (error) {
    ignore(error, "the handler's own business");
    return { cancelled: true };
  }
}
