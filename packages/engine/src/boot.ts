/** The composition root: builds every room once, in order, and takes them down in reverse. */

import { systemClock } from "@omp/std";
import type { BootOptions } from "./boot-options.ts";
import { createSlashDoor } from "./commands/door.ts";
import { composeConversation, type Talk } from "./compose-conversation.ts";
import { composeContext, offersSkillCommands, refreshOnNewSession } from "./compose-context.ts";
import { composeGate } from "./compose-gate.ts";
import { composeGround } from "./compose-ground.ts";
import { composeHandlers } from "./compose-handlers.ts";
import { composeRequests } from "./compose-requests.ts";
import { composeTools } from "./compose-tools.ts";
import { createEngine, EventHub } from "./engine.ts";
import { createHostsDoor, type HostsDoor } from "./hosts-door.ts";
import type { Engine } from "./protocol/index.ts";
import { followSessions } from "./sessions/terminal-memory.ts";
import { Workplace } from "./sessions/workplace.ts";
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
  const hosts: HostsDoor = createHostsDoor(given.clock ?? systemClock, () => ({
    ...ground,
    discovery,
    tools,
    version: given.version ?? "unversioned",
    isWithheld: (name) => models.vault.isSecretName(name) || ground.isFromProject(name),
    log: () => talk.conversation.log,
  }));
  const ground = await composeGround(given, () => hosts.processes());
  const { options, environment, settings, models, ui } = ground;
  const workplace = new Workplace(given.cwd, ground.paths.home);
  const tools = composeTools(options.tools, settings, environment);
  const gate = composeGate({ ...ground, workplace });
  const { discovery, prompt: systemPrompt } = composeContext({
    ...ground,
    cwd: () => workplace.cwd,
    tools: () => tools.schemas,
  });
  refreshOnNewSession(hub, discovery);
  const requests = composeRequests({
    ...ground,
    maxCost: options.maxCost,
    systemPrompt,
    tools: () => tools.schemas,
    hub,
    conversation: () => talk.conversation,
  });
  const talk: Talk = await composeConversation({
    ground,
    hub,
    workplace,
    discovery,
    tools,
    gate,
    hosts,
    requests,
    slash: () => slash,
    engine: () => engine,
  });
  const slash = createSlashDoor(() => ({
    trust: ground.trust,
    discovery,
    sources: options.commandSources ?? [],
    offersSkills: () => offersSkillCommands(settings),
    port: { dispatch: engine.dispatch, snapshot, tell: (notice) => ui.tell(notice) },
  }));
  followSessions(ground.terminal, hub, () => talk.conversation.log);
  const snapshot = () => {
    const { cwd } = workplace;
    return snapshotOf({ ...talk, cwd, active: ground.active, ...requests, systemPrompt });
  };
  const closing = new AbortController();
  const { signal } = closing;
  const parts = { ground, hub, workplace, talk, hosts, requests, slash, tools, snapshot };
  const engine: Engine = createEngine({
    hub,
    snapshot,
    handlers: composeHandlers({ ...parts, closing: signal }),
    async close() {
      closing.abort();
      await talk.close();
      await settings.flush();
      await models.registry.close();
      await hosts.close();
    },
  });
  return engine;
}
