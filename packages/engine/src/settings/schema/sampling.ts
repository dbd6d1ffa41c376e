/** Settings of how models choose their words. */

import type { Sampling } from "@omp/ai/schema";
import { settingArea, type Values } from "@omp/std";
import { amount } from "./kinds.ts";

const NOT_SENT = -1;

const sampled = (label: string, help: string) =>
  amount(NOT_SENT, label, `${help}; -1 sends nothing`, { minimum: -1 });

export const samplingArea = settingArea("", {
  temperature: sampled("Temperature", "How freely the model chooses its words"),
  topP: sampled("Top P", "Share of the likeliest words to choose from"),
  topK: sampled("Top K", "Number of the likeliest words to choose from"),
  minP: sampled("Min P", "Least likelihood of a word, against the likeliest"),
  presencePenalty: sampled("Presence penalty", "How much words that were used are avoided"),
  repetitionPenalty: sampled("Repetition penalty", "How much repeated text is avoided"),
});

/** What requests shall carry. */
export function samplingOf(values: Values<typeof samplingArea>): Sampling {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== NOT_SENT));
}
