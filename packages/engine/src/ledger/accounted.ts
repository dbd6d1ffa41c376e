/** Turns that pass the ledger: reserved before they are sent, settled when they have ended. */

import { usageOf, NO_TOKENS, type Model, type FinalEvent, type ModelStream } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { Prefix } from "./cache-miss.ts";
import type { Charge, Purpose } from "../protocol/commands/ledger.ts";
import type { Ledger } from "./ledger.ts";

export interface Account {
  readonly agent: string;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Hears of each request that was settled. */
  charged(charge: Charge): void;
}

/** `ask` is called only when there is money left. */
export function accounted(
  account: Account,
  {
    model,
    purpose,
    prefix,
  }: { readonly model: Model; readonly purpose: Purpose; readonly prefix: Prefix },
  ask: () => ModelStream,
): ModelStream {
  const reservation = account.ledger.reserve(account.agent, purpose, prefix);
  if (!reservation) return refusedTurn(model, account);
  const turn = ask();
  // Nothing that waits for the result can run before this: the next request finds it settled.
  void turn.result.then(({ message }) => account.charged(reservation.settle(message.usage)));
  return turn;
}

function refusedTurn(model: Model, { ledger, clock }: Account): ModelStream {
  const { cap = 0, spent } = ledger;
  const event: FinalEvent = {
    type: "error",
    reason: "error",
    fault: { kind: "budget" },
    message: {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: usageOf(NO_TOKENS, model.prices),
      stopReason: "error",
      errorMessage:
        `The budget of ${dollars(cap)} is used up: ${dollars(spent)} spent. ` +
        "Nothing more was sent; go on with a higher --max-cost.",
      timestamp: clock.now(),
    },
  };
  return {
    result: Promise.resolve(event),
    async *[Symbol.asyncIterator]() {
      yield event;
    },
  };
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
