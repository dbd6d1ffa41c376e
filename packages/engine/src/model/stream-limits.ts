/** How long a silent stream is waited for, as the environment says. Pure. */

import type { Timeouts } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import type { Environment } from "../paths.ts";

/** The variables are for OpenAI's protocols; other streams have the usual limits. */
export function streamLimits(
  environment: Environment,
): (model: Model) => Partial<Timeouts> | undefined {
  const firstContentMs = positive(environment["PI_OPENAI_STREAM_FIRST_EVENT_TIMEOUT_MS"]);
  const idleMs = positive(environment["PI_OPENAI_STREAM_IDLE_TIMEOUT_MS"]);
  const limits = {
    ...(firstContentMs !== undefined && { firstContentMs }),
    ...(idleMs !== undefined && { idleMs }),
  };
  return ({ api }) => (api.includes("openai") ? limits : undefined);
}

/** Text that is no positive whole number is as good as none. */
function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d*$/.test(text.trim()) ? Number(text) : undefined;
}
