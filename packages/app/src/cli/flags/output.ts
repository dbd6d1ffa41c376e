/** Flags that choose what is printed, and how long that may take. */

import { UserError } from "@omp/std";
import type { Flag } from "../flag.ts";
import type { OutputMode } from "../invocation.ts";

const MODES: readonly OutputMode[] = ["text", "json", "rpc", "rpc-ui"];

export const outputFlags: readonly Flag[] = [
  {
    name: "print",
    short: "p",
    category: "Output",
    help: "Answer the prompts, print the answers and exit",
    apply: (invocation) => void (invocation.isPrint = true),
  },
  {
    name: "mode",
    value: `<${MODES.join("|")}>`,
    choices: MODES,
    category: "Output",
    help: "text prints answers; json prints every event as one line; rpc takes commands on standard input",
    apply: (invocation, value) => {
      const mode = MODES.find((known) => known === value);
      if (!mode) {
        throw new UserError("usage", `--mode must be one of ${MODES.join(", ")}, not "${value}"`);
      }
      invocation.mode = mode;
    },
  },
  {
    name: "print-thoughts",
    category: "Output",
    help: "Print the model's thinking before each answer",
    apply: (invocation) => void (invocation.printsThoughts = true),
  },
  {
    name: "hide-thinking",
    category: "Output",
    help: "Show nothing of the model's thinking",
    apply: (invocation) => {
      invocation.printsThoughts = false;
      invocation.settings["hideThinkingBlock"] = true;
    },
  },
  {
    name: "max-time",
    value: "<seconds|1h30m>",
    category: "Output",
    help: "Stop after this time with exit code 124; omp -c goes on with the session",
    apply: (invocation, value) => void (invocation.maxTimeMs = milliseconds(value)),
  },
  {
    name: "max-cost",
    value: "<dollars>",
    category: "Output",
    help: "Send no request once this run has spent so much; omp -c goes on with the session",
    apply: (invocation, value) => void (invocation.maxCost = dollars(value)),
  },
  {
    name: "output-schema",
    value: "<file|json>",
    category: "Output",
    help: "JSON Schema that the last answer must satisfy; prints that JSON",
    apply: (invocation, value) => void (invocation.outputSchema = value),
  },
];

const TIME = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/;
/** Longer than that no timer runs. */
const MAX_SECONDS = 24 * 24 * 3600;

function milliseconds(text: string): number {
  const [, hours = 0, minutes = 0, rest = 0] = TIME.exec(text) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1000;
  throw new UserError(
    "usage",
    `--max-time must be a number of seconds or a time such as 90s, 15m or 1h30m, at most 24 days, not "${text}"`,
  );
}

function dollars(text: string): number {
  const amount = /^\$?\d*\.?\d+$/.test(text) ? Number(text.replace("$", "")) : 0;
  if (amount > 0) return amount;
  throw new UserError("usage", `--max-cost must be an amount of dollars like 0.50, not "${text}"`);
}
