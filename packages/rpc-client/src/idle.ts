/** Whether omp works on a prompt: from the answer that it was taken to the event that it is done. */

import { ignore } from "@omp/std";
import { RpcError } from "./errors.ts";
import type { RpcEvent, RpcResponse } from "./wire/index.ts";

export interface IdleWatch {
  hearResponse(response: RpcResponse): void;
  hearEvent(event: RpcEvent): void;
  /** omp is gone. */
  fail(error: RpcError): void;
  wait(): Promise<void>;
}

export function createIdleWatch(): IdleWatch {
  /** Ends of runs that are still to come. */
  let runs = 0;
  let busy: PromiseWithResolvers<void> | undefined;
  /** Why the last prompt could not start, until somebody was told. */
  let trouble: RpcError | undefined;
  const taken = new Set<RpcResponse["id"]>();

  const expect = (count: number) => {
    runs = count;
    if (busy) return;
    busy = Promise.withResolvers();
    busy.promise.catch((error: unknown) => ignore(error, "nobody has to wait"));
  };
  const end = (left: number, error?: RpcError) => {
    runs = Math.max(0, left);
    if (runs > 0) return;
    trouble = error;
    if (error) busy?.reject(error);
    else busy?.resolve();
    busy = undefined;
    taken.clear();
  };

  return {
    hearResponse({ id, command, ...answer }) {
      if (command !== "prompt" && command !== "abort_and_prompt") return;
      if (!answer.success) {
        if (taken.delete(id)) end(runs - 1, new RpcError(command, answer.error));
        return;
      }
      taken.add(id);
      // A prompt during a run is a part of it; the other one ends that run and begins its own.
      expect(command === "prompt" ? Math.max(runs, 1) : runs + 1);
    },
    hearEvent({ type }) {
      if (type === "agent_start") expect(Math.max(runs, 1));
      if (type === "agent_end" && runs > 0) end(runs - 1);
    },
    fail: (error) => end(0, error),
    async wait() {
      if (busy) return busy.promise;
      const error = trouble;
      trouble = undefined;
      if (error) throw error;
    },
  };
}
