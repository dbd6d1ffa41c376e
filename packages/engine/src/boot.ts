/** The composition root: builds every room once, in order, and takes them down in reverse. */

import type { Trust, UiPort } from "@omp/agent";
import { providers as builtInProviders, stream, type Provider } from "@omp/ai";
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
import { tools as allTools } from "@omp/tools";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { assembleSystemPrompt, type PromptOverrides } from "./context/assemble.ts";
import { Conversation } from "./conversation/conversation.ts";
import { createEngine, EventHub } from "./engine.ts";
import { selectModel } from "./model/selection.ts";
import { pathsOf, type Environment, type Paths } from "./paths.ts";
import { createGate } from "./permission/gate.ts";
import type { Engine } from "./protocol/index.ts";
import { settingAreas } from "./settings/registry.ts";
import { modelArea } from "./settings/schema/model.ts";
import { retryArea } from "./settings/schema/retry.ts";
import { shellArea } from "./settings/schema/shell.ts";
import { toolsArea } from "./settings/schema/tools.ts";
import { loadSettings, type SettingsStore } from "./settings/store.ts";
import { refusingTrust } from "./trust/trust.ts";
import { createVault } from "./vault/vault.ts";

export type { Provider } from "@omp/ai";
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
  readonly model?: string | undefined;
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
  const { cwd, environment, ui, clock = systemClock, random = systemRandom } = options;
  const paths = pathsOf(environment, options.home);
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const settings = await loadSettings({
    areas: settingAreas,
    configFile: paths.config,
    environment,
    flags: options.settings ?? {},
  });
  for (const { place, message } of settings.problems) {
    ui.tell({ level: "warning", text: `${place}: ${message}` });
  }
  const providers = [...builtInProviders, ...(options.extraProviders ?? [])];
  const vault = createVault(environment, providers, options.apiKey);
  for (const secret of vault.secrets) log.addSecret(secret);

  const sessionLog = await openLog(options, paths, clock, random);
  const selection = selectModel({
    wanted: options.model,
    remembered: contextOf(sessionLog.branch()).model,
    settings: settings.values(modelArea),
    providers,
    environment,
    vault,
  });

  const processes = createProcesses({ clock });
  const lastResort = () => processes.killAllSync();
  process.on("exit", lastResort);
  const files = createFiles();
  const { shellPath } = settings.values(shellArea);
  const shell = createShell({
    processes,
    environment: childEnvironment(environment, { withhold: (name) => vault.isSecretName(name) }),
    ...(shellPath === "" ? {} : { shellPath }),
  });
  const gate = createGate({
    mode: await approvalMode(
      settings,
      options.trust ?? refusingTrust(paths.demo),
      realpathSync(cwd),
    ),
    approval: settings.values(toolsArea).approval,
    ui,
  });
  const tools = offeredTools(options.tools);
  const toolSchemas = tools.map(({ name, prompt, input }) => ({
    name,
    description: prompt.trim(),
    parameters: input,
  }));
  const systemPrompt = assembleSystemPrompt({ cwd, platform: process.platform }, options);
  const hub = new EventHub();
  const { model, apiKey } = selection;
  const fetchModel = await selection.provider.fetch?.();

  const conversation = new Conversation({
    log: sessionLog,
    modelSelector: `${model.provider}/${model.id}`,
    files,
    clock,
    random,
    retry: settings.values(retryArea),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    gate,
    hosts: { files, shell },
    cwd,
    publish: (event) => hub.publish(event),
    stream: (messages, signal) =>
      stream(
        { model, systemPrompt, messages, tools: toolSchemas },
        { apiKey, signal, clock, ...(fetchModel ? { fetch: fetchModel } : {}) },
      ),
  });

  return createEngine({
    hub,
    handlers: {
      prompt: (command) => conversation.prompt(command),
      abort: () => conversation.abort(),
    },
    snapshot: () => ({
      session: {
        header: sessionLog.header,
        ...(sessionLog.path === undefined ? {} : { file: sessionLog.path }),
        messages: conversation.messages,
      },
      model: { provider: model.provider, id: model.id },
      isRunning: conversation.isRunning,
    }),
    async close() {
      await conversation.close();
      await processes[Symbol.asyncDispose]();
      process.off("exit", lastResort);
    },
  });
}

async function openLog(
  options: BootOptions,
  paths: Paths,
  clock: Clock,
  random: Random,
): Promise<SessionLog> {
  const { cwd, session } = options;
  const folder =
    options.sessionFolder ??
    sessionFolder({
      agentDir: paths.agent,
      cwd: realpathSync(cwd),
      home: paths.home,
      tmp: tmpdir(),
    });
  switch (session.kind) {
    case "in-memory":
      return SessionLog.create({ cwd, folder: undefined, clock, random });
    case "continue": {
      const path = await latestSession(folder);
      if (path !== undefined) return SessionLog.open({ path, clock, random });
      return SessionLog.create({ cwd, folder, clock, random });
    }
    case "new":
      return SessionLog.create({ cwd, folder, clock, random });
  }
}

/** The person's own word counts first; without one a folder nobody trusts is treated with care. */
async function approvalMode(settings: SettingsStore, trust: Trust, cwd: string) {
  const { approvalMode: mode } = settings.values(toolsArea);
  if (settings.origin(toolsArea, "approvalMode") !== "default") return mode;
  return (await trust.isFolderTrusted(cwd)) ? mode : "write";
}

function offeredTools(names: readonly string[] | undefined) {
  if (names === undefined) return allTools;
  const unknown = names.filter((name) => !allTools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    const known = allTools.map((tool) => tool.name).join(", ");
    throw new UserError("usage", `unknown tool: ${unknown.join(", ")}. Available: ${known}`);
  }
  return allTools.filter((tool) => names.includes(tool.name));
}
