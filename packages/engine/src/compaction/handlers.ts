/** The commands about compaction. */

import type { SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import type { HandlersOf } from "../protocol/command.ts";
import type { CompactionCommands, Pin } from "../protocol/commands/compaction.ts";
import type { CompactionDoor } from "./door.ts";
import { isCompaction } from "./entry-kind.ts";
import { pinMark, pinnedText, pinsOn, saidBy, unpinMark } from "./pins.ts";
import { reportOf } from "./report.ts";
import { revertCompaction } from "./revert.ts";
import { textTokens } from "./tokens.ts";

export interface CompactionHandlerDeps {
  readonly door: CompactionDoor;
  readonly conversation: {
    readonly log: SessionLog;
    readonly isRunning: boolean;
    abort(): Promise<void>;
    reload(): void;
  };
  /** The place in the session is another one. */
  moved(oldLeafId: string | null): void;
  contextWindow(): number;
}

/** What is pinned is in every request: it must leave room for the work. */
const MAX_PINNED_SHARE = 0.2;

export function createCompactionHandlers(
  deps: CompactionHandlerDeps,
): HandlersOf<CompactionCommands> {
  const { door, conversation } = deps;
  const pins = () => pinsOn(conversation.log.branch());
  return {
    async compact({ instructions, strategy }) {
      await conversation.abort();
      return door.manual({ focus: instructions?.trim() || undefined, strategy });
    },
    abort_compaction: () => door.abort(),
    async set_auto_compaction({ enabled }) {
      door.isAutomatic = enabled;
    },
    async handoff({ instructions }) {
      await conversation.abort();
      return door.handoff(instructions?.trim() || undefined);
    },
    async revert_compaction() {
      await door.abort();
      await conversation.abort();
      const { log } = conversation;
      const { leafId } = log;
      const entryId = revertCompaction(log);
      await log.sync();
      conversation.reload();
      deps.moved(leafId);
      return { entryId };
    },
    async pin(wish) {
      const pin = newPin(wish, deps);
      conversation.reload();
      return pin;
    },
    async unpin({ entryId }) {
      if (!pins().some((pin) => pin.entryId === entryId))
        throw new UserError("bad-input", `Nothing is pinned as ${entryId}.`);
      conversation.log.append(unpinMark(entryId));
    },
    list_pins: async () => pins(),
    async compaction_report() {
      const branch = conversation.log.branch();
      const compaction = branch.findLast(isCompaction);
      return compaction && reportOf(compaction, branch);
    },
  };
}

function newPin(
  { text = "", entryId }: { readonly text?: string; readonly entryId?: string },
  { conversation, contextWindow }: CompactionHandlerDeps,
): Pin {
  const { log } = conversation;
  if (conversation.isRunning) throw new UserError("busy", "Wait for the run to end, then pin.");
  const entry = entryId === undefined ? undefined : log.branch().find(({ id }) => id === entryId);
  if (entryId !== undefined && !entry)
    throw new UserError("bad-input", `There is no entry ${entryId} on this branch.`);
  const said = entry ? saidBy(entry) : text.trim();
  if (said === "") throw new UserError("bad-input", "There is no text to pin.");
  checkRoom([...pinsOn(log.branch()).map((pin) => pin.text), said], contextWindow());
  if (entry) {
    log.append(pinMark(entry.id));
    return { entryId: entry.id, text: said };
  }
  return { entryId: log.append(pinnedText(said)).id, text: said };
}

function checkRoom(texts: readonly string[], contextWindow: number): void {
  const tokens = texts.reduce((sum, text) => sum + textTokens(text), 0);
  const most = Math.floor(contextWindow * MAX_PINNED_SHARE);
  if (tokens <= most) return;
  throw new UserError(
    "bad-input",
    `With this ${tokens} tokens would be pinned, and the model has room for ${most}. Unpin something first.`,
  );
}
