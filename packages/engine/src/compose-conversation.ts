/** The conversation, with what keeps it within its window and what names it. */

import type { ToolGate } from "@omp/agent";
import type { Hosts } from "@omp/tools";
import type { SlashDoor } from "./commands/door.ts";
import { composeCompaction, type CompactionRooms } from "./compose-compaction.ts";
import type { Ground } from "./compose-ground.ts";
import type { Requests } from "./compose-requests.ts";
import { Conversation, type ConversationDeps } from "./conversation/conversation.ts";
import type { OfferedTools } from "./conversation/offered-tools.ts";
import type { Titles } from "./conversation/titles.ts";
import type { Discovery } from "./discovery/discovery.ts";
import type { EventHub } from "./engine.ts";
import type { HostsDoor } from "./hosts-door.ts";
import type { Engine } from "./protocol/index.ts";
import type { Workplace } from "./sessions/workplace.ts";
import { compactionArea } from "./settings/schema/compaction.ts";
import { imagesArea } from "./settings/schema/images.ts";
import { interactionArea } from "./settings/schema/interaction.ts";
import { contextPromotionArea } from "./settings/schema/model.ts";
import { retryArea } from "./settings/schema/retry.ts";

export interface ConversationParts {
  readonly ground: Ground;
  readonly hub: EventHub;
  readonly workplace: Workplace;
  readonly discovery: Discovery;
  readonly tools: OfferedTools<Hosts>;
  readonly gate: ToolGate;
  readonly hosts: HostsDoor;
  readonly requests: Requests;
  /** What is made after it is asked for when it is needed. */
  slash(): SlashDoor;
  engine(): Engine;
}

export interface Talk {
  readonly conversation: Conversation<Hosts>;
  readonly compaction: CompactionRooms;
  close(): Promise<void>;
}

export async function composeConversation(parts: ConversationParts): Promise<Talk> {
  const { ground, hub, tools, gate, requests } = parts;
  const titles = await titlesFor(parts);
  const compaction = compactionFor(parts, () => conversation);
  const conversation: Conversation<Hosts> = new Conversation({
    ...settled(ground),
    ...doorsOf(parts),
    get cwd() {
      return parts.workplace.cwd;
    },
    tools,
    gate,
    maintenance: compaction.door,
    stream: requests.turn,
    onPrompt: (text, session) => titles?.consider(text, session),
    publish: (event) => hub.publish(event),
  });
  return {
    conversation,
    compaction,
    async close() {
      titles?.close();
      await compaction.close();
      await conversation.close();
    },
  };
}

function settled({ clock, random, sessionLog, active, settings }: Ground) {
  return {
    clock,
    random,
    log: sessionLog,
    model: active,
    promotesModel: settings.values(contextPromotionArea).enabled,
    retry: settings.values(retryArea),
    queueModes: settings.values(interactionArea),
  };
}

type Doors = Pick<ConversationDeps<Hosts>, "hosts" | "loadFiles" | "loadPictures" | "execute">;

/** What only some prompts need: loaded for the first of them. */
function doorsOf({ ground, hosts, workplace }: ConversationParts): Doors {
  const { clock, settings } = ground;
  return {
    hosts: async () => (await hosts.composed()).hosts,
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
  };
}

async function titlesFor(parts: ConversationParts): Promise<Titles | undefined> {
  const { ground, requests, discovery, hub } = parts;
  if (!ground.options.givesTitles || ground.environment["PI_NO_TITLE"]) return undefined;
  const { composeTitles } = await import("./compose-titles.ts");
  return composeTitles({
    ...asking(ground, requests),
    discovery,
    timeoutsFor: requests.request.timeoutsFor,
    publish: (event) => hub.publish(event),
  });
}

function compactionFor(
  { ground, hub, requests, slash, engine }: ConversationParts,
  conversation: () => Conversation<Hosts>,
): CompactionRooms {
  return composeCompaction<Hosts>({
    ...asking(ground, requests),
    settings: ground.settings.values(compactionArea),
    hub,
    hooks: ground.options.hooks ?? [],
    random: ground.random,
    request: requests.request,
    stream: requests.turn,
    fetch,
    expand: (command, deliver) => slash().prompt(command, deliver),
    conversation,
    engine,
  });
}

/** What requests beside the conversation are made with. */
function asking({ models, resolving, active, clock }: Ground, { ask }: Requests) {
  return { ...models, ...resolving, ask, active, clock };
}
