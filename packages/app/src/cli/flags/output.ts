/** Flags that choose what is printed. */

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
];
