/** What the verbs of `omp sessions` are given and what they give. */

import type { SessionsOf } from "@omp/engine/boot";

/** What is printed, in both forms, and what to tell besides. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
  /** For the person alone. */
  readonly notes?: readonly string[];
  /** 0 unless told. */
  readonly exitCode?: number;
}

export interface Wish {
  readonly which: SessionsOf;
  readonly words: readonly string[];
  readonly isYes: boolean;
  readonly isRepair: boolean;
  readonly isJson: boolean;
}
