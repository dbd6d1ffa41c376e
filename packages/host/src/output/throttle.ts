/** Text for somebody who wants all of it, but not in a thousand pieces. */

import type { Clock } from "@omp/std";
import { createProgress } from "../shell/progress.ts";

export interface TextThrottle {
  push(text: string): void;
  /** Tells the rest. */
  end(): void;
}

/** More than this is told at once: memory counts for more than the number of calls. */
const MAX_WAITING = 1024 * 1024;

export function createTextThrottle(
  clock: Clock,
  everyMs: number,
  tell: (text: string) => void,
): TextThrottle {
  let waiting = "";
  const tellWaiting = (): void => {
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    tell(text);
  };
  const progress = createProgress(clock, everyMs, tellWaiting);
  return {
    push(text) {
      waiting += text;
      if (waiting.length > MAX_WAITING) tellWaiting();
      else progress.touch();
    },
    end() {
      progress.stop();
      tellWaiting();
    },
  };
}
