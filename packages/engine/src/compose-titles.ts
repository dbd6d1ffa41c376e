/** Automatic titles, put together; what asks for one is loaded with the first prompt of a session. */

import type { Timeouts } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { AskModel } from "./ledger/door.ts";
import { Titles } from "./conversation/titles.ts";
import type { Discovery } from "./discovery/discovery.ts";
import type { SmallModelsDeps } from "./model/small-models.ts";
import type { EngineEvent } from "./protocol/event.ts";

export interface ComposeTitlesDeps extends SmallModelsDeps {
  readonly ask: AskModel;
  readonly clock: Clock;
  readonly discovery: Discovery;
  timeoutsFor(model: Model): Partial<Timeouts> | undefined;
  publish(event: EngineEvent): void;
}

const PROMPT_FILE = "TITLE_SYSTEM.md";

export function composeTitles(deps: ComposeTitlesDeps): Titles {
  const { discovery, clock, timeoutsFor, publish } = deps;
  return new Titles({
    async titleFor(text, signal) {
      const [{ titleFor }, { smallModels }] = await Promise.all([
        import("./conversation/title.ts"),
        import("./model/small-models.ts"),
      ]);
      return titleFor(
        text,
        {
          models: () => smallModels(deps),
          ownPrompt: () =>
            discovery.find("system-prompt").items.find(({ name }) => name === PROMPT_FILE)?.text,
          now: () => clock.now(),
          ask: ({ model, apiKey, sign, fetch }, request, abort) =>
            deps.ask(
              "title",
              { ...request, model },
              { apiKey, sign, clock, fetch, signal: abort, timeouts: timeoutsFor(model) },
            ),
        },
        signal,
      );
    },
    titled: (title) => publish({ type: "session_title", title }),
  });
}
