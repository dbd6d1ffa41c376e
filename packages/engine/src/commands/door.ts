/** The way into slash commands. Nothing is loaded before a text begins with `/`. */

import { lazy, UserError } from "@omp/std";
import type { CommandOf } from "../protocol/command.ts";
import type { PromptResult, Said } from "../protocol/commands/run.ts";
import type { SlashCommandInfo } from "../protocol/commands/tools.ts";
import type { Expander, ExpanderDeps } from "./expand.ts";

export interface SlashDoor {
  /** Runs what the text calls, and delivers what is for the model. */
  prompt(
    command: CommandOf<"prompt">,
    deliver: (command: CommandOf<"prompt">) => Promise<PromptResult>,
  ): Promise<PromptResult>;
  /** What is queued goes to the model later, so it cannot call an extension's handler now. */
  refuseExtension(said: Said): Promise<void>;
  list(): Promise<readonly SlashCommandInfo[]>;
  /** Ends what a slash command is at, as far as that can be ended. */
  abort(): Promise<void>;
}

export function createSlashDoor(makeDeps: () => ExpanderDeps): SlashDoor {
  let running = 0;
  const expander: () => Promise<Expander> = lazy(async () =>
    (await import("./expand.ts")).createExpander(makeDeps()),
  );
  return {
    async prompt(command, deliver) {
      if (!command.text.startsWith("/") || command.expands === false) return deliver(command);
      const { expand } = await expander();
      running++;
      const result = await expand(command.text).finally(() => running--);
      if (result.kind === "prompt") return deliver({ ...command, text: result.text });
      const text = result.text ?? "";
      return { stopReason: "stop", text, thinking: "", isCommand: true };
    },
    async refuseExtension({ text }) {
      if (!text.startsWith("/") || !(await (await expander()).isOfExtension(text))) return;
      throw new UserError(
        "bad-input",
        `${text.split(/\s/, 1)[0]} is a command of an extension and cannot be queued; send it as a prompt.`,
      );
    },
    list: async () => (await expander()).list(),
    async abort() {
      if (running === 0) return;
      const { dispatch } = makeDeps().port;
      await Promise.all([dispatch({ type: "abort_share" }), dispatch({ type: "abort_summary" })]);
    },
  };
}
