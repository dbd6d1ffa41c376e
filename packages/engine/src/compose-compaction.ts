/** Compaction, put together; what does the work is loaded when the first one is due. */

import { lazy } from "@omp/std";
import { compactionCommands } from "./compaction/commands.ts";
import { CompactionDoor } from "./compaction/door.ts";
import { createHeldPrompts, type HeldPromptsDeps } from "./compaction/held-prompts.ts";
import { watchIdle } from "./compaction/idle.ts";
import type { RoomParts } from "./compaction/open-room.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { lazyHandlers, type EventHub } from "./engine.ts";
import type { CompactionCommands } from "./protocol/commands/compaction.ts";
import type { Engine } from "./protocol/index.ts";

/** What is made after it is asked for when it is needed. */
export interface CompactionParts<Hosts> extends Omit<
  RoomParts,
  "conversation" | "newSession" | "publish"
> {
  readonly hub: EventHub;
  readonly expand: HeldPromptsDeps["expand"];
  conversation(): Conversation<Hosts>;
  engine(): Engine;
}

export type CompactionRooms = ReturnType<typeof composeCompaction>;

export function composeCompaction<Hosts>(parts: CompactionParts<Hosts>) {
  const { settings, hub, clock, active, expand, conversation, engine } = parts;
  const contextWindow = () => active.current.model.contextWindow;
  const publish: RoomParts["publish"] = (event) => hub.publish(event);
  const door = new CompactionDoor({
    settings,
    contextWindow,
    messages: () => conversation().messages,
    publish,
    load: lazy(async () => {
      const { openCompactionRoom } = await import("./compaction/open-room.ts");
      return openCompactionRoom({
        ...parts,
        conversation: conversation(),
        publish,
        async newSession(parentSession) {
          return !(await engine().dispatch({ type: "new_session", parentSession })).cancelled;
        },
      });
    }),
  });
  const isRunning = () => conversation().isRunning;
  const endIdle = watchIdle({ settings, hub, clock, door, isRunning });
  return {
    door,
    /** The way of each prompt. */
    hold: () => createHeldPrompts({ door, expand, conversation: conversation() }),
    handlers: lazyHandlers<CompactionCommands>(compactionCommands, async () => {
      const { createCompactionHandlers } = await import("./compaction/handlers.ts");
      return createCompactionHandlers({
        door,
        conversation: conversation(),
        contextWindow,
        moved: (oldLeafId) =>
          publish({ type: "session_tree", newLeafId: conversation().log.leafId, oldLeafId }),
      });
    }),
    async close() {
      endIdle();
      await door.abort();
    },
  };
}
