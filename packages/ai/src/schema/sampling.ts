/** How the words of an answer are chosen. */

/** What a vendor has no field for, or refuses, is not sent. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
}

/** The names that a server has for them. */
export type SamplingFields = Readonly<Partial<Record<keyof Sampling, string>>>;
