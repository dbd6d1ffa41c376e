/** The commands about the run. Slash commands have been expanded before a text comes here. */

import type { HandlersOf } from "../protocol/command.ts";
import type { RunCommands, Said } from "../protocol/commands/run.ts";
import type { Conversation } from "./conversation.ts";

/** @param checkQueued rejects what cannot wait in a queue */
export function createRunHandlers<Hosts>(
  conversation: Conversation<Hosts>,
  checkQueued: (said: Said) => Promise<void>,
): HandlersOf<RunCommands> {
  return {
    prompt: (command) => conversation.prompt(command),
    steer: async (said) => {
      await checkQueued(said);
      await conversation.inbox.add("steer", said);
    },
    follow_up: async (said) => {
      await checkQueued(said);
      await conversation.inbox.add("followUp", said);
    },
    clear_queue: async () => conversation.clearQueue(),
    abort: () => conversation.abort(),
    abort_retry: async () => conversation.abortRetry(),
    set_steering_mode: async ({ mode }) => conversation.inbox.setModes({ steeringMode: mode }),
    set_follow_up_mode: async ({ mode }) => conversation.inbox.setModes({ followUpMode: mode }),
    set_interrupt_mode: async ({ mode }) => conversation.inbox.setModes({ interruptMode: mode }),
    set_auto_retry: async ({ enabled }) => {
      conversation.isAutoRetryEnabled = enabled;
    },
    execute: (command) => conversation.executions.execute(command),
    abort_execute: () => conversation.executions.abort(),
  };
}
