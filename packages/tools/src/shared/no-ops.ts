/** Counts edits that change nothing, so that a model that repeats itself is told so. */

export interface NoOps {
  /** How often in a row this same call has changed nothing, this time included. */
  count(call: string): number;
  /** Something has changed: what was tried before may now make sense. */
  reset(): void;
}

export function createNoOps(): NoOps {
  let last = "";
  let times = 0;
  return {
    count(call) {
      times = call === last ? times + 1 : 1;
      last = call;
      return times;
    },
    reset() {
      last = "";
      times = 0;
    },
  };
}
