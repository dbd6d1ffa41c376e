/** Where the time of a start goes (`PI_TIMING`, `PI_DEBUG_STARTUP`). Costs nothing where nobody asks. */

import type { Clock } from "@omp/std";

export interface Timing {
  span<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
  /** The spans so far as an indented list; empty when nothing is measured. */
  tree(): string;
}

export const noTiming: Timing = { span: (_name, work) => work(), tree: () => "" };

export interface TimingOptions {
  readonly clock: Clock;
  /** Hears at once when a span begins or ends, so that the last word before a hang names it. */
  mark?(text: string): void;
}

interface Span {
  readonly name: string;
  readonly depth: number;
  readonly startMs: number;
  durationMs?: number;
}

/** Spans that begin while another one is open are inside of it: phases of a start follow one another. */
export function createTiming({ clock, mark }: TimingOptions): Timing {
  const spans: Span[] = [];
  let depth = 0;
  return {
    async span(name, work) {
      const span: Span = { name, depth: depth++, startMs: clock.monotonic() };
      spans.push(span);
      mark?.(`${name}:start`);
      try {
        return await work();
      } finally {
        depth--;
        span.durationMs = clock.monotonic() - span.startMs;
        mark?.(`${name}:done`);
      }
    },
    tree: () => spans.map((span) => `${row(span)}\n`).join(""),
  };
}

function row({ name, depth, durationMs }: Span): string {
  const time = durationMs === undefined ? "(not ended)" : `${durationMs.toFixed(1)} ms`;
  return `${"  ".repeat(depth)}${name} ${time}`;
}
