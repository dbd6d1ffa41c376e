/** The composition root: builds every room once, in order, and takes them down in reverse. */

import type { Trust, UiPort } from "@omp/agent";
import { providers as builtInProviders, type Provider } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import { childEnvironment, createFiles, createProcesses, createShell } from "@omp/host";
import { ArtifactStore, BlobStore, contextOf } from "@omp/session";
import {
  log,
  logFile,
  systemClock,
  systemRandom,
  UserError,
  type Clock,
  type Random,
} from "@omp/std";
import {
  createNoOps,
  createSnapshots,
  inDialect,
  payloadSign,
  tools as allTools,
  type Editing,
  type Hosts,
} from "@omp/tools";
import { realpathSync } from "node:fs";
import { createSlashDoor } from "./commands/door.ts";
import type { CommandSource } from "./commands/slash-command.ts";
import { composeCompaction } from "./compose-compaction.ts";
import { composeModels } from "./compose-models.ts";
import { composeSearch, switchedOff } from "./compose-search.ts";
import { composeReading } from "./compose-reading.ts";
import { composeContext, refreshOnNewSession } from "./compose-context.ts";
import type { PromptOverrides, SystemPrompt } from "./context/system-prompt.ts";
import { Conversation } from "./conversation/conversation.ts";
import { createRunHandlers } from "./conversation/handlers.ts";
import { OfferedTools } from "./conversation/offered-tools.ts";
import type { Pictures } from "./conversation/pictures.ts";
import { exportCommands } from "./export/commands.ts";
import type { ExportFileOptions } from "./export/file.ts";
import type { ExportWishes } from "./export/open-room.ts";
import { createEngine, EventHub, lazyHandlers } from "./engine.ts";
import { createModelDoor } from "./ledger/door.ts";
import { Ledger } from "./ledger/ledger.ts";
import { createOutgoingImages } from "./images/outgoing.ts";
import { modelCommands } from "./model/commands.ts";
import { createRequester } from "./model/request.ts";
import { rolesOf } from "./model/roles.ts";
import { openLog, type SessionChoice } from "./open-log.ts";
import type { ContextReport, OpenContextOptions } from "./open-context.ts";
import type { OpenModels, OpenModelsOptions } from "./open-models.ts";
import type { OpenSessionsOptions, Sessions } from "./open-sessions.ts";
import type { Environment, Paths } from "./paths.ts";
import { createGate } from "./permission/gate.ts";
import type { Engine, HostToolPort, SessionHooks } from "./protocol/index.ts";
import { createResourceDoor } from "./resources/door.ts";
import { sessionCommands } from "./sessions/commands.ts";
import { createFolders } from "./sessions/folders.ts";
import { createTerminalMemory, followSessions } from "./sessions/terminal-memory.ts";
import { Workplace } from "./sessions/workplace.ts";
import type { SettingsEditor } from "./settings/editor.ts";
import { branchSummaryArea } from "./settings/schema/branch-summary.ts";
import { compactionArea } from "./settings/schema/compaction.ts";
import { editArea } from "./settings/schema/edit.ts";
import { imagesArea } from "./settings/schema/images.ts";
import {
  contextPromotionArea,
  modelArea,
  thinkingBudgetsArea,
  type ModelSettings,
} from "./settings/schema/model.ts";
import { providersArea } from "./settings/schema/providers.ts";
import { retryArea } from "./settings/schema/retry.ts";
import { interactionArea } from "./settings/schema/interaction.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";
import { sessionArea } from "./settings/schema/session.ts";
import { shellArea } from "./settings/schema/shell.ts";
import { outputLimits, toolsArea } from "./settings/schema/tools.ts";
import type { SettingsStore } from "./settings/store.ts";
import { streamLimits } from "./model/stream-limits.ts";
import { snapshotOf } from "./snapshot.ts";
import { startModel, type ModelWishes } from "./start-model.ts";
import { openEnvironment, withEnvironment } from "./open-environment.ts";
import {
  followSettings,
  openSettings,
  type SettingsEditorOptions,
  type SettingsOptions,
} from "./open-settings.ts";
import type { TrustWishes } from "./trust/open-door.ts";
import { UNTRUSTED_FOLDER } from "./trust/texts.ts";
import type { OpenTrustOptions, TrustDesk } from "./trust/open-trust.ts";

export type { Provider } from "@omp/ai";
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
export { pathsOf } from "./paths.ts";
export type { Explanation, SettingRow, SettingsEditor } from "./settings/editor.ts";
export type { FolderReport, TrustDesk } from "./trust/open-trust.ts";
export type { Decisions as TrustDecisions } from "./trust/store.ts";

export interface BootOptions extends PromptOverrides, ExportWishes, TrustWishes, SettingsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  readonly ui: UiPort;
  readonly session: SessionChoice;
  /** Replaces the folder of this project's sessions. */
  readonly sessionFolder?: string | undefined;
  /** Folders that belong to a new session besides its working directory. */
  readonly additionalDirectories?: readonly string[];
  readonly model?: ModelWishes | undefined;
  readonly apiKey?: string | undefined;
  /** Names of the tools to offer; all when absent. */
  readonly tools?: readonly string[] | undefined;
  readonly extraProviders?: readonly Provider[];
  readonly trust?: Trust;
  /** Runs the tools that come by `set_host_tools`. */
  readonly hostTools?: HostToolPort | undefined;
  /** Sessions get a title from their first prompt, by a request of its own. No unless a front end says so. */
  readonly givesTitles?: boolean | undefined;
  /** Slash commands besides the built-in ones and those of files. */
  readonly commandSources?: readonly CommandSource[];
  /** Measures the phases of the start. */
  readonly timed?: Timed | undefined;
  /** Have a say before the session changes, in this order. */
  readonly hooks?: readonly SessionHooks[];
  /** US dollars that this program may spend on models; undefined is no limit. */
  readonly maxCost?: number | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
}

type Timed = <Value>(phase: string, work: () => Promise<Value>) => Promise<Value>;

export async function boot(given: BootOptions): Promise<Engine> {
  const { timed = (_phase, work) => work() } = given;
  const { cwd, ui, clock = systemClock, random = systemRandom } = given;
  const opened = await timed("boot:environment", () => openEnvironment(given));
  const { environment, paths, trust, isFromProject } = opened;
  const options = { ...given, environment };
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const settings = await timed("boot:settings", () => openSettings(options, { paths, trust, ui }));
  const modelSettings = settings.values(modelArea);
  const processes = createProcesses({ clock });
  const doors = { clock, random, blobs: new BlobStore(paths.blobs) };
  const models = await timed("boot:models", () =>
    composeModels({
      cwd,
      environment,
      paths,
      settings: { ...modelSettings, ...settings.values(providersArea) },
      builtIn: [...builtInProviders, ...(options.extraProviders ?? [])],
      processes,
      clock,
      fetch,
      apiKey: options.apiKey,
    }),
  );
  const folders = createFolders(paths, options.sessionFolder);
  const terminal = createTerminalMemory(paths, environment);
  const sessionLog = await timed("boot:session", () =>
    openLog({
      cwd,
      choice: options.session,
      folders,
      terminal,
      ui,
      opensInPlace: settings.values(sessionArea).resumeInPlace,
      doors: { ...doors, additionalDirectories: options.additionalDirectories ?? [] },
    }),
  );
  const active = await timed("boot:model", () =>
    startModel({
      ...models,
      cwd,
      home: paths.home,
      environment,
      settings: modelSettings,
      wishes: options.model ?? {},
      remembered: contextOf(sessionLog.branch()),
      warn: (text) => ui.tell({ level: "warning", text }),
    }),
  );

  const lastResort = () => processes.killAllSync();
  process.on("exit", lastResort);
  const version = options.version ?? "unversioned";
  const { scans, search } = composeSearch({
    settings,
    processes,
    environment,
    paths,
    clock,
    version,
  });
  const files = createFiles({ home: paths.home, afterChange: (path) => scans.forget(path) });
  const childVariables = childEnvironment(environment, {
    withhold: (name) => models.vault.isSecretName(name) || isFromProject(name),
  });
  const shell = createShell({
    processes,
    environment: childVariables,
    afterRun: () => scans.forget(),
    ...shellChoice(settings, environment),
  });
  const hub = new EventHub();
  const chosen = offeredTools(options.tools, switchedOff(settings));
  const tools = new OfferedTools(inDialect(chosen, dialectOf(settings, environment)), {
    isStrict: !environment["PI_NO_STRICT"],
  });
  const workplace = new Workplace(cwd, paths.home);
  const settingsOfNow = followSettings(settings, () => workplace.cwd, { paths, trust, ui });
  const gate = workplace.follow((folder) => gateFor(settings, trust, folder, ui));
  await gate();
  const { discovery, prompt: systemPrompt } = composeContext({
    options,
    settings,
    paths,
    environment,
    clock,
    ui,
    cwd: () => workplace.cwd,
    tools: () => tools.schemas,
  });
  refreshOnNewSession(hub, discovery);
  const request = requestParts(options, settings, tools, systemPrompt);
  const resolving = {
    registry: models.registry,
    environment,
    roles: rolesOf(modelSettings.modelRoles, environment, options.model?.roles ?? {}),
  };
  const ledger = new Ledger({ clock, cap: options.maxCost });
  if (ledger.cap !== undefined) warnOfUnpriced(active.current.model, ui);
  const ask = createModelDoor({
    ledger,
    agent: "main",
    charged(charge) {
      conversation.noteCharge(charge);
      hub.publish({ type: "usage", charge, spent: ledger.spent });
    },
  });
  const titles =
    options.givesTitles && !environment["PI_NO_TITLE"]
      ? (await import("./compose-titles.ts")).composeTitles({
          ...models,
          ...resolving,
          ask,
          active,
          discovery,
          clock,
          timeoutsFor: request.timeoutsFor,
          publish: (event) => hub.publish(event),
        })
      : undefined;
  const artifacts = new ArtifactStore(() => conversation.log.path);
  const readingHosts = composeReading({ settings, processes, clock, active });
  const resources = createResourceDoor({
    artifacts,
    discovery,
    log: () => conversation.log,
    conflict: { conflicts: readingHosts.conflicts, files },
  });
  const hosts: Hosts = {
    scans,
    search,
    files,
    shell,
    artifacts,
    resources,
    snapshots: createSnapshots(),
    editing: editingOf(settings, environment, tools),
    ...readingHosts,
  };
  const turn = createRequester({
    ...request,
    ask,
    active,
    sessionId: () => conversation.log.header.id,
    clock,
  });
  const compaction = composeCompaction<Hosts>({
    ...models,
    ...resolving,
    settings: settings.values(compactionArea),
    hub,
    hooks: options.hooks ?? [],
    clock,
    random,
    ask,
    active,
    request,
    stream: turn,
    fetch,
    expand: (command, deliver) => slash.prompt(command, deliver),
    conversation: () => conversation,
    engine: () => engine,
  });
  const conversation: Conversation<Hosts> = new Conversation({
    log: sessionLog,
    maintenance: compaction.door,
    model: active,
    promotesModel: settings.values(contextPromotionArea).enabled,
    files,
    clock,
    random,
    retry: settings.values(retryArea),
    queueModes: settings.values(interactionArea),
    tools,
    gate: { decide: async (call) => (await gate()).decide(call) },
    hosts,
    get cwd() {
      return workplace.cwd;
    },
    loadPictures: () => loadPictures(settings),
    async execute(fields, signal) {
      const { execute } = await import("./conversation/execute.ts");
      const needed = { shell, processes, environment: childVariables, clock, artifacts };
      return execute(fields, workplace.cwd, needed, signal);
    },
    onPrompt: (text, session) => titles?.consider(text, session),
    publish: (event) => hub.publish(event),
    stream: turn,
  });

  const slash = createSlashDoor(() => ({
    trust,
    discovery,
    sources: options.commandSources ?? [],
    port: {
      dispatch: engine.dispatch,
      snapshot: engine.snapshot,
      tell: (notice) => ui.tell(notice),
    },
  }));
  followSessions(terminal, hub, () => conversation.log);
  const hold = compaction.hold();
  const closing = new AbortController();
  const engine: Engine = createEngine({
    hub,
    handlers: {
      ...createRunHandlers(conversation, (said) => slash.refuseExtension(said)),
      ...lazyHandlers(modelCommands, async () =>
        (await import("./model/handlers.ts")).createModelHandlers({
          ...resolving,
          active,
          scope: () => options.model?.models ?? enabledModels(modelSettings, workplace.cwd, paths),
          noteModel: () => conversation.noteModel(),
        }),
      ),
      async set_host_tools(command) {
        const { hostTools } = await import("./conversation/host-tools.ts");
        const taken = allTools.map(({ name }) => name);
        tools.offer("host", hostTools(command.tools, taken, options.hostTools));
        return tools.namesOf("host");
      },
      ...lazyHandlers(sessionCommands, async () => {
        const { openSessionRoom } = await import("./sessions/open-room.ts");
        return openSessionRoom({
          conversation,
          workplace,
          hub,
          folders,
          terminal,
          ui,
          hooks: options.hooks ?? [],
          doors,
          closing: closing.signal,
          model: { ...resolving, active },
          branchSummary: settings.values(branchSummaryArea),
          timeoutsFor: request.timeoutsFor,
          ask,
        });
      }),
      ...lazyHandlers(exportCommands, async () => {
        const { openExportRoom } = await import("./export/open-room.ts");
        return openExportRoom({
          conversation,
          workplace,
          paths,
          environment,
          files,
          processes,
          ui,
          doors: { clock, random },
          closing: closing.signal,
          wishes: options,
          snapshot: engine.snapshot,
          isSecretName: models.vault.isSecretName,
        });
      }),
      ...compaction.handlers,
      prompt: (command) => settingsOfNow()?.then(() => hold(command)) ?? hold(command),
      list_slash_commands: () => slash.list(),
      usage_report: () => Promise.resolve(ledger.report()),
      async abort() {
        await Promise.all([slash.abort(), compaction.door.abort(), conversation.abort()]);
      },
    },
    snapshot: () =>
      snapshotOf({
        cwd: workplace.cwd,
        conversation,
        compaction: compaction.door,
        active,
        request,
        systemPrompt: systemPrompt.text,
      }),
    async close() {
      closing.abort();
      titles?.close();
      await compaction.close();
      await conversation.close();
      await settings.flush();
      await models.registry.close();
      await processes[Symbol.asyncDispose]();
      process.off("exit", lastResort);
    },
  });
  return engine;
}

/** The settings alone, to look at and to change. */
export async function openSettingsEditor(options: SettingsEditorOptions): Promise<SettingsEditor> {
  return (await import("./open-settings.ts")).openSettingsEditor(options);
}

/** The JSON Schema of config.yml. */
export async function configSchema(): Promise<object> {
  const { allAreas } = await import("./settings/all-areas.ts");
  return (await import("./settings/json-schema.ts")).configSchema(allAreas);
}

/** The models alone: no session, no tools, no conversation. */
export async function openModels(options: OpenModelsOptions): Promise<OpenModels> {
  return (await import("./open-models.ts")).openModels(await withEnvironment(options));
}

/**
 * A session file as a page, without a session of our own.
 * @returns the path of the page
 */
export async function exportSession(options: ExportFileOptions): Promise<string> {
  return (await import("./export/file.ts")).exportSessionFile(options);
}

/** Trust alone. */
export async function openTrust(options: OpenTrustOptions): Promise<TrustDesk> {
  return (await import("./trust/open-trust.ts")).openTrust(options);
}

/** What a session in this folder would know before the first word. */
export async function openContext(options: OpenContextOptions): Promise<ContextReport> {
  return (await import("./open-context.ts")).openContext(options);
}

/** The stored sessions alone. */
export async function openSessions(options: OpenSessionsOptions): Promise<Sessions> {
  return (await import("./open-sessions.ts")).openSessions(options);
}

type OfferedTool = (typeof allTools)[number];

async function loadPictures(settings: SettingsStore): Promise<Pictures> {
  return (await import("./images/door.ts")).createImageDoor(settings.values(imagesArea));
}

/** What requests take from flags and settings. */
function requestParts(
  options: BootOptions,
  settings: SettingsStore,
  tools: OfferedTools<Hosts>,
  systemPrompt: SystemPrompt,
) {
  return {
    systemPrompt: () => systemPrompt.blocks,
    tools: () => tools.schemas,
    habits: {
      ...(options.environment["PI_NO_INTERLEAVED_THINKING"] === "1" && {
        interleavedThinking: false,
      }),
      ...(options.environment["PI_CACHE_RETENTION"] === "long" && {
        cacheRetention: "long" as const,
      }),
    },
    thinkingBudgets: settings.values(thinkingBudgetsArea),
    timeoutsFor: streamLimits(options.environment),
    outgoing: createOutgoingImages(settings.values(imagesArea)),
  };
}

function warnOfUnpriced({ provider, id, prices }: Model, ui: UiPort): void {
  if (prices.input + prices.output > 0) return;
  const text = `No price is known for ${provider}/${id}: --max-cost cannot hold it back.`;
  ui.tell({ level: "warning", text });
}

/** The patterns that the settings name for this folder. */
function enabledModels(settings: ModelSettings, cwd: string, { home }: Paths): readonly string[] {
  return valuesIn(cwd, settings.enabledModels, home);
}

function shellChoice(settings: SettingsStore, environment: Environment) {
  const { shellPath } = settings.values(shellArea);
  const forcesSixel = environment["PI_FORCE_IMAGE_PROTOCOL"] === "sixel";
  return {
    ...(shellPath === "" ? {} : { shellPath }),
    limits: outputLimits(settings.values(toolsArea)),
    passesSixel: forcesSixel && Boolean(environment["PI_ALLOW_SIXEL_PASSTHROUGH"]),
  };
}

function dialectOf(settings: SettingsStore, environment: Environment) {
  return {
    mode: settings.values(editArea).mode,
    payloadSign: payloadSign(environment["PI_HL_SEP"]),
  };
}

function editingOf(
  settings: SettingsStore,
  environment: Environment,
  tools: OfferedTools<Hosts>,
): Editing {
  const edit = settings.values(editArea);
  return {
    ...edit,
    ...dialectOf(settings, environment),
    get showsAnchors() {
      return edit.mode === "hashline" && tools.byName.has("edit");
    },
    noOps: createNoOps(),
  };
}

/** The person's own word counts first; without one a folder nobody trusts is treated with care. */
async function gateFor(settings: SettingsStore, trust: Trust, cwd: string, ui: UiPort) {
  const { approvalMode, approval } = settings.values(toolsArea);
  const isChosen = settings.origin(toolsArea, "approvalMode") !== "default";
  const isFree = isChosen || (await trust.isFolderTrusted(realpathSync(cwd)));
  const mode = isFree ? approvalMode : "write";
  return createGate({ mode, approval, ui, ...(!isFree && { refusalHint: UNTRUSTED_FOLDER }) });
}

function offeredTools(
  names: readonly string[] | undefined,
  off: readonly string[],
): readonly OfferedTool[] {
  const offered = allTools.filter((tool) => !off.includes(tool.name));
  if (names === undefined) return offered;
  const isMeant = (name: string, tool: OfferedTool) =>
    tool.name === name || tool.aliases?.includes(name);
  const unknown = names.filter((name) => !allTools.some((tool) => isMeant(name, tool)));
  if (unknown.length > 0) {
    const known = allTools.map((tool) => tool.name).join(", ");
    throw new UserError("usage", `unknown tool: ${unknown.join(", ")}. Available: ${known}`);
  }
  return offered.filter((tool) => names.some((name) => isMeant(name, tool)));
}
