/** Who answers which command. */

import type { Hosts } from "@omp/tools";
import type { SlashDoor } from "./commands/door.ts";
import { composeRooms, type RoomsParts } from "./compose-rooms.ts";
import { houseNames } from "./compose-tools.ts";
import { createRunHandlers } from "./conversation/handlers.ts";
import type { OfferedTools } from "./conversation/offered-tools.ts";
import { followSettings } from "./open-settings.ts";
import type { Handlers } from "./protocol/command.ts";

export interface HandlersParts extends RoomsParts {
  readonly slash: SlashDoor;
  readonly tools: OfferedTools<Hosts>;
}

export function composeHandlers(parts: HandlersParts): Handlers {
  const { ground, talk, slash, tools, requests, workplace } = parts;
  const { conversation, compaction } = talk;
  const hold = compaction.hold();
  const settingsOfNow = followSettings(ground.settings, () => workplace.cwd, ground);
  return {
    ...createRunHandlers(conversation, (said) => slash.refuseExtension(said)),
    ...composeRooms(parts),
    ...compaction.handlers,
    async set_host_tools(command) {
      const { hostTools } = await import("./conversation/host-tools.ts");
      tools.offer("host", hostTools(command.tools, houseNames, ground.options.hostTools));
      return tools.namesOf("host");
    },
    prompt: (command) => settingsOfNow()?.then(() => hold(command)) ?? hold(command),
    list_slash_commands: () => slash.list(),
    usage_report: () => Promise.resolve(requests.ledger.report()),
    async abort() {
      await Promise.all([slash.abort(), compaction.door.abort(), conversation.abort()]);
    },
  };
}
