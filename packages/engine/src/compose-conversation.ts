/** The conversation, put together. What only some prompts need is loaded for the first of them. */

import type { ToolGate } from "@omp/agent";
import type { Hosts } from "@omp/tools";
import type { Ground } from "./compose-ground.ts";
import { Conversation, type ConversationDeps } from "./conversation/conversation.ts";
import type { OfferedTools } from "./conversation/offered-tools.ts";
import type { HostsDoor } from "./hosts-door.ts";
import type { Requester } from "./model/request.ts";
import type { Workplace } from "./sessions/workplace.ts";
import { imagesArea } from "./settings/schema/images.ts";
import { interactionArea } from "./settings/schema/interaction.ts";
import { contextPromotionArea } from "./settings/schema/model.ts";
import { retryArea } from "./settings/schema/retry.ts";

export interface ConversationParts extends Pick<
  ConversationDeps<Hosts>,
  "maintenance" | "publish" | "onPrompt"
> {
  readonly ground: Ground;
  readonly workplace: Workplace;
  readonly tools: OfferedTools<Hosts>;
  readonly gate: ToolGate;
  readonly hosts: HostsDoor;
  readonly turn: Requester;
}

export function composeConversation(parts: ConversationParts): Conversation<Hosts> {
  const { workplace, hosts, turn, ...others } = parts;
  const { clock, random, settings, sessionLog, active } = parts.ground;
  return new Conversation({
    ...others,
    clock,
    random,
    log: sessionLog,
    model: active,
    promotesModel: settings.values(contextPromotionArea).enabled,
    retry: settings.values(retryArea),
    queueModes: settings.values(interactionArea),
    stream: turn,
    hosts: async () => (await hosts.composed()).hosts,
    get cwd() {
      return workplace.cwd;
    },
    loadFiles: async () => (await hosts.composed()).hosts.files,
    loadPictures: async () =>
      (await import("./images/door.ts")).createImageDoor(settings.values(imagesArea)),
    async execute(fields, signal) {
      const { execute } = await import("./conversation/execute.ts");
      const { hosts: house, artifacts, variables } = await hosts.composed();
      const processes = await hosts.processes();
      const doors = { shell: house.shell, processes, environment: variables, clock, artifacts };
      return execute(fields, workplace.cwd, doors, signal);
    },
  });
}
