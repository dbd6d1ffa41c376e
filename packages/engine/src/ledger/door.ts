/** The one way to a model: every request passes the ledger, whoever makes it. */

import { stream, type StreamOptions } from "@omp/ai";
import type { Message, ModelRequest, ModelStream } from "@omp/ai/schema";
import type { Charge, Purpose } from "../protocol/commands/ledger.ts";
import { accounted } from "./accounted.ts";
import type { Ledger } from "./ledger.ts";

/** `history` is what the messages were made from, where they are made anew for each request. */
export type AskModel = (
  purpose: Purpose,
  request: ModelRequest,
  options: StreamOptions,
  history?: readonly Message[],
) => ModelStream;

export interface ModelDoorDeps {
  readonly ledger: Ledger;
  /** Whose requests these are. */
  readonly agent: string;
  charged(charge: Charge): void;
}

export function createModelDoor({ ledger, agent, charged }: ModelDoorDeps): AskModel {
  return (purpose, request, options, history = request.messages) => {
    const { model, thinking = "off", tools, systemPrompt } = request;
    const prefix = {
      model: `${model.provider}/${model.id}`,
      thinking,
      tools,
      systemPrompt: typeof systemPrompt === "string" ? systemPrompt : systemPrompt.join("\n\n"),
      // A copy: the list grows while the request is under way.
      messages: [...history],
    };
    const account = { agent, ledger, clock: options.clock, charged };
    return accounted(account, { model, purpose, prefix }, () => stream(request, options));
  };
}
