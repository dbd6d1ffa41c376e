/** How words are chosen, in a vendor's own fields. Pure. */

import type { Sampling, SamplingFields } from "../schema/sampling.ts";

/** What is set and has a name on the wire. */
export function samplingAs(
  names: SamplingFields,
  sampling: Sampling = {},
): Readonly<Record<string, number>> {
  const fields: Record<string, number> = {};
  for (const key of Object.keys(names) as (keyof Sampling)[]) {
    const name = names[key];
    const value = sampling[key];
    if (name !== undefined && value !== undefined) fields[name] = value;
  }
  return fields;
}

/** What OpenAI has for it, and most of those who speak like it. */
export const PLAIN: SamplingFields = {
  temperature: "temperature",
  topP: "top_p",
  presencePenalty: "presence_penalty",
};

/** What open models are served with. */
export const FULL: SamplingFields = {
  ...PLAIN,
  topK: "top_k",
  minP: "min_p",
  repetitionPenalty: "repetition_penalty",
};
