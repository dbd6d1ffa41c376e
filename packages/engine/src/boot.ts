/** The composition root: builds every room once, in order, and takes them down in reverse. */

import { systemClock } from "@omp/std";
import type { Hosts } from "@omp/tools";
import type { BootOptions } from "./boot-options.ts";
import { createSlashDoor } from "./commands/door.ts";
import { composeCompaction } from "./compose-compaction.ts";
import { composeConversation } from "./compose-conversation.ts";
import { composeContext, offersSkillCommands, refreshOnNewSession } from "./compose-context.ts";
import { composeGate } from "./compose-gate.ts";
import { composeGround } from "./compose-ground.ts";
import { composeHandlers } from "./compose-handlers.ts";
import { composeRequests } from "./compose-requests.ts";
import { composeTools } from "./compose-tools.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { createEngine, EventHub } from "./engine.ts";
import { createHostsDoor, type HostsDoor } from "./hosts-door.ts";
import { rolesOf } from "./model/roles.ts";
import { followSettings } from "./open-settings.ts";
import type { Engine } from "./protocol/index.ts";
import { followSessions } from "./sessions/terminal-memory.ts";
import { Workplace } from "./sessions/workplace.ts";
import { compactionArea } from "./settings/schema/compaction.ts";
import { snapshotOf } from "./snapshot.ts";

export type { Provider } from "@omp/ai";
export type { BootOptions } from "./boot-options.ts";
export type { CommandSource } from "./commands/slash-command.ts";
export type { ModelWishes } from "./start-model.ts";
export type { ContextReport, ContextRow } from "./open-context.ts";
export type { OpenModels, OpenModelsOptions } from "./open-models.ts";
export type { SessionChoice } from "./open-log.ts";
export type {
  Collection,
  FileCheck,
  LineProblem,
  SearchHit,
  SessionDescription,
  Sessions,
  SessionsOf,
  SessionSummary,
  Waste,
} from "./open-sessions.ts";
export {
  configSchema,
  exportSession,
  openContext,
  openModels,
  openSessions,
  openSettingsEditor,
  openTrust,
} from "./openers.ts";
export { pathsOf } from "./paths.ts";
export type { Explanation, SettingRow, SettingsEditor } from "./settings/editor.ts";
export type { FolderReport, TrustDesk } from "./trust/open-trust.ts";
export type { Decisions as TrustDecisions } from "./trust/store.ts";

export async function boot(given: BootOptions): Promise<Engine> {
  const hub = new EventHub();
  const publish: EventHub["publish"] = (event) => hub.publish(event);
  const hosts: HostsDoor = createHostsDoor(given.clock ?? systemClock, () => ({
    ...ground,
    discovery,
    tools,
    version: given.version ?? "unversioned",
    isWithheld: (name) => models.vault.isSecretName(name) || ground.isFromProject(name),
    log: () => conversation.log,
  }));
  const ground = await composeGround(given, () => hosts.processes());
  const { options, environment, paths, settings, models, active, trust, ui, clock } = ground;
  const workplace = new Workplace(given.cwd, paths.home);
  const cwd = () => workplace.cwd;
  const tools = composeTools(options.tools, settings, environment);
  const schemas = () => tools.schemas;
  const gate = await composeGate({ ...ground, workplace });
  const { discovery, prompt: systemPrompt } = composeContext({ ...ground, cwd, tools: schemas });
  refreshOnNewSession(hub, discovery);
  const { ledger, ask, request, turn } = composeRequests({
    ...ground,
    maxCost: options.maxCost,
    systemPrompt,
    tools: schemas,
    hub,
    conversation: () => conversation,
  });
  const { timeoutsFor } = request;
  const { modelRoles } = ground.modelSettings;
  const roles = rolesOf(modelRoles, environment, options.model?.roles ?? {});
  const resolving = { registry: models.registry, environment, roles };
  const asking = { ...models, ...resolving, ask, active, clock };
  const titles =
    options.givesTitles && !environment["PI_NO_TITLE"]
      ? (await import("./compose-titles.ts")).composeTitles({
          ...asking,
          discovery,
          timeoutsFor,
          publish,
        })
      : undefined;
  const compaction = composeCompaction<Hosts>({
    ...asking,
    settings: settings.values(compactionArea),
    hub,
    hooks: options.hooks ?? [],
    random: ground.random,
    request,
    stream: turn,
    fetch,
    expand: (command, deliver) => slash.prompt(command, deliver),
    conversation: () => conversation,
    engine: () => engine,
  });
  const conversation: Conversation<Hosts> = composeConversation({
    ground,
    workplace,
    tools,
    gate,
    hosts,
    turn,
    publish,
    maintenance: compaction.door,
    onPrompt: (text, session) => titles?.consider(text, session),
  });
  const slash = createSlashDoor(() => ({
    trust,
    discovery,
    sources: options.commandSources ?? [],
    offersSkills: () => offersSkillCommands(settings),
    port: { dispatch: engine.dispatch, snapshot, tell: (notice) => ui.tell(notice) },
  }));
  followSessions(ground.terminal, hub, () => conversation.log);
  const snapshot = () =>
    snapshotOf({ cwd: cwd(), conversation, compaction, active, request, systemPrompt });
  const closing = new AbortController();
  const rooms = {
    ground,
    hub,
    workplace,
    conversation,
    compaction,
    slash,
    tools,
    hosts,
    resolving,
  };
  const engine: Engine = createEngine({
    hub,
    snapshot,
    handlers: composeHandlers({
      ...rooms,
      ledger,
      ask,
      timeoutsFor,
      snapshot,
      closing: closing.signal,
      settingsOfNow: followSettings(settings, cwd, ground),
    }),
    async close() {
      closing.abort();
      titles?.close();
      await compaction.close();
      await conversation.close();
      await settings.flush();
      await models.registry.close();
      await hosts.close();
    },
  });
  return engine;
}
