/** The composition root: builds every room once, in order, and takes them down in reverse. */

import type { Trust, UiPort } from "@omp/agent";
import { providers as builtInProviders, type Provider } from "@omp/ai";
import type { ToolSchema } from "@omp/ai/schema";
import { childEnvironment, createFiles, createProcesses, createShell } from "@omp/host";
import { contextOf, latestSession, sessionFolder, SessionLog } from "@omp/session";
import {
  log,
  logFile,
  systemClock,
  systemRandom,
  UserError,
  type Clock,
  type Random,
} from "@omp/std";
import { tools as allTools, type Hosts } from "@omp/tools";
import { realpathSync } from "node:fs";
import { composeModels } from "./compose-models.ts";
import { assembleSystemPrompt, type PromptOverrides } from "./context/assemble.ts";
import { Conversation } from "./conversation/conversation.ts";
import type { Pictures } from "./conversation/intake.ts";
import { createEngine, EventHub } from "./engine.ts";
import { createOutgoingImages } from "./images/outgoing.ts";
import { createRequester } from "./model/request.ts";
import type { OpenModels, OpenModelsOptions } from "./open-models.ts";
import { pathsOf, type Environment, type Paths } from "./paths.ts";
import { createGate } from "./permission/gate.ts";
import type { Engine } from "./protocol/index.ts";
import { settingAreas } from "./settings/registry.ts";
import { imagesArea } from "./settings/schema/images.ts";
import { contextPromotionArea, modelArea, thinkingBudgetsArea } from "./settings/schema/model.ts";
import { providersArea } from "./settings/schema/providers.ts";
import { retryArea } from "./settings/schema/retry.ts";
import { interactionArea } from "./settings/schema/interaction.ts";
import { shellArea } from "./settings/schema/shell.ts";
import { toolsArea } from "./settings/schema/tools.ts";
import { loadSettings, type SettingsStore } from "./settings/store.ts";
import { streamLimits } from "./model/stream-limits.ts";
import { snapshotOf } from "./snapshot.ts";
import { startModel, type ModelWishes } from "./start-model.ts";
import { refusingTrust } from "./trust/trust.ts";

export type { Provider } from "@omp/ai";
export type { ModelWishes } from "./start-model.ts";
export type { OpenModels, OpenModelsOptions } from "./open-models.ts";
export { pathsOf } from "./paths.ts";

/** Which session the engine opens. */
export type SessionChoice =
  | { readonly kind: "new" }
  /** The newest one of this folder, or a new one. */
  | { readonly kind: "continue" }
  /** Nothing is written. */
  | { readonly kind: "in-memory" };

export interface BootOptions extends PromptOverrides {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  readonly ui: UiPort;
  readonly session: SessionChoice;
  /** Replaces the folder of this project's sessions. */
  readonly sessionFolder?: string | undefined;
  readonly model?: ModelWishes | undefined;
  readonly apiKey?: string | undefined;
  /** Names of the tools to offer; all when absent. */
  readonly tools?: readonly string[] | undefined;
  /** Settings given on the command line, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly extraProviders?: readonly Provider[];
  readonly trust?: Trust;
  readonly clock?: Clock;
  readonly random?: Random;
}

export async function boot(options: BootOptions): Promise<Engine> {
  const { cwd, ui, clock = systemClock, random = systemRandom } = options;
  // A copy, because each look into the process's own environment is a call into the system.
  const environment = { ...options.environment };
  const paths = pathsOf(environment, options.home);
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const settings = await openSettings(options, paths);
  const modelSettings = settings.values(modelArea);
  const processes = createProcesses({ clock });
  const models = await composeModels({
    cwd,
    environment,
    paths,
    settings: { ...modelSettings, ...settings.values(providersArea) },
    builtIn: [...builtInProviders, ...(options.extraProviders ?? [])],
    processes,
    clock,
    fetch,
    apiKey: options.apiKey,
  });
  const sessionLog = await openLog(options, paths, { clock, random });
  const active = await startModel({
    ...models,
    cwd,
    home: paths.home,
    environment,
    settings: modelSettings,
    wishes: options.model ?? {},
    remembered: contextOf(sessionLog.branch()),
    warn: (text) => ui.tell({ level: "warning", text }),
  });

  const lastResort = () => processes.killAllSync();
  process.on("exit", lastResort);
  const files = createFiles({ home: paths.home });
  const shell = createShell({
    processes,
    environment: childEnvironment(environment, { withhold: models.vault.isSecretName }),
    ...shellChoice(settings),
  });
  const hub = new EventHub();
  const tools = offeredTools(options.tools);
  const request = requestParts(options, settings, tools);
  const conversation: Conversation<Hosts> = new Conversation({
    log: sessionLog,
    model: active,
    promotesModel: settings.values(contextPromotionArea).enabled,
    files,
    clock,
    random,
    retry: settings.values(retryArea),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    gate: await gateFor(settings, options.trust ?? refusingTrust(paths.demo), cwd, ui),
    hosts: { files, shell },
    cwd,
    loadPictures: () => loadPictures(settings),
    publish: (event) => hub.publish(event),
    stream: createRequester({
      ...request,
      active,
      sessionId: () => conversation.log.header.id,
      clock,
    }),
  });

  return createEngine({
    hub,
    handlers: {
      prompt: (command) => conversation.prompt(command),
      abort: () => conversation.abort(),
      abort_retry: () => conversation.abortRetry(),
    },
    snapshot: () =>
      snapshotOf({
        cwd,
        conversation,
        active,
        settings: settings.values(interactionArea),
        request,
      }),
    async close() {
      await conversation.close();
      await models.registry.close();
      await processes[Symbol.asyncDispose]();
      process.off("exit", lastResort);
    },
  });
}

/** What was wrong with a value is said once; it never fails the start. */
async function openSettings(options: BootOptions, paths: Paths): Promise<SettingsStore> {
  const settings = await loadSettings({
    areas: settingAreas,
    configFile: paths.config,
    environment: options.environment,
    flags: options.settings ?? {},
  });
  for (const { place, message } of settings.problems) {
    options.ui.tell({ level: "warning", text: `${place}: ${message}` });
  }
  return settings;
}

/** The models alone: no session, no tools, no conversation. */
export async function openModels(options: OpenModelsOptions): Promise<OpenModels> {
  return (await import("./open-models.ts")).openModels(options);
}

type OfferedTool = (typeof allTools)[number];

async function loadPictures(settings: SettingsStore): Promise<Pictures> {
  return (await import("./images/door.ts")).createImageDoor(settings.values(imagesArea));
}

/** What requests take from flags and settings. */
function requestParts(
  options: BootOptions,
  settings: SettingsStore,
  tools: readonly OfferedTool[],
) {
  const facts = { cwd: options.cwd, platform: process.platform };
  return {
    systemPrompt: assembleSystemPrompt(facts, options),
    tools: tools.map((tool) => schemaOf(tool, options.environment)),
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

function schemaOf({ name, prompt, input }: OfferedTool, environment: Environment): ToolSchema {
  const strict = !environment["PI_NO_STRICT"];
  return { name, description: prompt.trim(), parameters: input, strict };
}

async function openLog(
  options: BootOptions,
  paths: Paths,
  doors: { readonly clock: Clock; readonly random: Random },
): Promise<SessionLog> {
  const { cwd, session } = options;
  if (session.kind === "in-memory") return SessionLog.create({ cwd, folder: undefined, ...doors });
  const folder =
    options.sessionFolder ??
    sessionFolder({ agentDir: paths.agent, cwd, home: paths.home, tmp: paths.temp });
  const path = session.kind === "continue" ? await latestSession(folder) : undefined;
  if (path !== undefined) return SessionLog.open({ path, ...doors });
  return SessionLog.create({ cwd, folder, ...doors });
}

function shellChoice(settings: SettingsStore): { shellPath?: string } {
  const { shellPath } = settings.values(shellArea);
  return shellPath === "" ? {} : { shellPath };
}

/** The person's own word counts first; without one a folder nobody trusts is treated with care. */
async function gateFor(settings: SettingsStore, trust: Trust, cwd: string, ui: UiPort) {
  const { approvalMode, approval } = settings.values(toolsArea);
  const isChosen = settings.origin(toolsArea, "approvalMode") !== "default";
  const isFree = isChosen || (await trust.isFolderTrusted(realpathSync(cwd)));
  return createGate({ mode: isFree ? approvalMode : "write", approval, ui });
}

function offeredTools(names: readonly string[] | undefined): readonly OfferedTool[] {
  if (names === undefined) return allTools;
  const unknown = names.filter((name) => !allTools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    const known = allTools.map((tool) => tool.name).join(", ");
    throw new UserError("usage", `unknown tool: ${unknown.join(", ")}. Available: ${known}`);
  }
  return allTools.filter((tool) => names.includes(tool.name));
}
