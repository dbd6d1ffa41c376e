/** Requests by their id, `req_<n>`, until their answer comes. */

import type { Ask } from "./calls.ts";
import { RpcError } from "./errors.ts";
import type { InFrame, RpcResponse } from "./wire/index.ts";

export interface Requests {
  readonly ask: Ask;
  settle(response: RpcResponse): void;
  failAll(error: RpcError): void;
}

export function createRequests(send: (frame: InFrame) => void): Requests {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  let count = 0;
  const ask = async (type: string, fields: object): Promise<unknown> => {
    const id = `req_${++count}`;
    // A table of commands types the pair of name and fields for the caller.
    send({ id, type, ...fields } as InFrame);
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  };
  return {
    ask: ask as Ask,
    settle(response) {
      if (typeof response.id !== "string") return;
      const answer = waiting.get(response.id);
      // The second answer to a prompt, of a run that could not start, is for those who wait for its end.
      if (!answer) return;
      waiting.delete(response.id);
      if (response.success) answer.resolve(response.data);
      else answer.reject(new RpcError(response.command, response.error));
    },
    failAll(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}
