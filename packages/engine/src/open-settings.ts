/** The settings of a run: which files count is decided here, by the person's trust. */

import type { Trust, UiPort } from "@omp/agent";
import { messageOf, UserError } from "@omp/std";
import { realpathSync } from "node:fs";
import { openEnvironment, silentUi } from "./open-environment.ts";
import type { Environment, Paths } from "./paths.ts";
import type { SettingsEditor } from "./settings/editor.ts";
import {
  projectFiles,
  readProjectLayers,
  type ProjectFile,
  type ProjectSettings,
} from "./settings/project-layers.ts";
import { settingAreas } from "./settings/registry.ts";
import { loadSettings, type SettingProblem, type SettingsStore } from "./settings/store.ts";
import type { TrustWishes } from "./trust/open-door.ts";

export interface SettingsOptions {
  readonly cwd: string;
  readonly environment: Environment;
  /** Settings given on the command line, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files of settings for this run, above config.yml; the later ones are the stronger. */
  readonly configFiles?: readonly string[] | undefined;
  /** Beginnings of names: settings that only the command line changes. */
  readonly unchangedSettings?: readonly string[] | undefined;
  /** What is wrong with a file of settings ends the start. */
  readonly isConfigStrict?: boolean | undefined;
}

interface Surroundings {
  readonly paths: Paths;
  readonly trust: Pick<Trust, "isFolderTrusted" | "allowed">;
  readonly ui: Pick<UiPort, "tell">;
}

/** What was wrong with a value is said once; it fails the start only where the person wants that. */
export async function openSettings(
  options: SettingsOptions,
  { paths, trust, ui }: Surroundings,
): Promise<SettingsStore> {
  const warn = ({ place, message }: SettingProblem) =>
    ui.tell({ level: "warning", text: `${place}: ${message}` });
  const project = await projectSettings(options.cwd, paths.home, trust);
  const settings = await loadSettings({
    areas: settingAreas,
    loadAll,
    configFile: paths.config,
    projectLayers: project.layers,
    projectProblems: project.problems,
    overlays: options.configFiles ?? [],
    environment: options.environment,
    flags: options.settings ?? {},
    unchanged: options.unchangedSettings,
    warn,
  });
  if (options.isConfigStrict) refuse(settings.problems);
  for (const problem of settings.problems) warn(problem);
  return settings;
}

/**
 * Keeps the settings true in a long life: config.yml as it is now, and the files of the folder of now.
 * Undefined where there is nothing to wait for, so that a prompt starts in the moment it is given.
 */
export function followSettings(
  settings: SettingsStore,
  cwd: () => string,
  { paths, trust, ui }: Surroundings,
): () => Promise<void> | undefined {
  let entered = cwd();
  let looking: Promise<void> | undefined;
  const enter = async (changed: Promise<void> | undefined) => {
    try {
      await changed;
      if (cwd() === entered) return;
      entered = cwd();
      await settings.enterProject((await projectSettings(entered, paths.home, trust)).layers);
    } catch (error) {
      ui.tell({ level: "warning", text: `Settings are as they were: ${messageOf(error)}` });
    }
  };
  return () => {
    const changed = settings.refreshed();
    if (!looking && !changed && cwd() === entered) return undefined;
    // One after the other: prompts that wait for it keep their order.
    const look = (looking ?? Promise.resolve())
      .then(() => enter(changed))
      .finally(() => {
        if (looking === look) looking = undefined;
      });
    return (looking = look);
  };
}

export interface SettingsEditorOptions extends SettingsOptions, TrustWishes {
  readonly home: string;
}

/** For those who look at a part of the engine: the settings as a run here would have them. */
export async function lookAtSettings(options: SettingsEditorOptions): Promise<SettingsStore> {
  const { environment, paths, trust } = await openEnvironment({ ...options, ui: silentUi });
  return openSettings({ ...options, environment }, { paths, trust, ui: silentUi });
}

/** The settings alone, to look at and to change. */
export async function openSettingsEditor(options: SettingsEditorOptions): Promise<SettingsEditor> {
  const { openSettingsEditor: open } = await import("./settings/editor.ts");
  const { environment, paths, trust } = await openEnvironment({ ...options, ui: silentUi });
  const project = await projectSettings(options.cwd, paths.home, trust);
  const editor = await open({
    areas: await loadAll(),
    loadAll,
    configFile: paths.config,
    projectLayers: project.layers,
    projectProblems: project.problems,
    overlays: options.configFiles ?? [],
    environment,
    flags: options.settings ?? {},
  });
  if (options.isConfigStrict) refuse(editor.problems);
  return editor;
}

async function loadAll() {
  return (await import("./settings/all-areas.ts")).allAreas;
}

function refuse(problems: readonly SettingProblem[]): void {
  // That a folder is not trusted is no mistake in its files.
  const mistakes = problems.filter(({ kind }) => kind !== "untrusted");
  if (mistakes.length === 0) return;
  const lines = mistakes.map(({ place, message }) => `${place}: ${message}`);
  throw new UserError("bad-config", lines.join("\n"));
}

/** A folder that nobody trusts sets nothing. In a trusted one, what redirects or runs something needs consent of its own. */
async function projectSettings(
  cwd: string,
  home: string,
  trust: Surroundings["trust"],
): Promise<ProjectSettings> {
  const files = projectFiles(cwd);
  // The home folder is no project: what lies there is the person's own.
  if (files.length === 0 || realpathSync(cwd) === realpathSync(home))
    return { layers: [], problems: [] };
  if (!(await trust.isFolderTrusted(cwd))) {
    return { layers: [], problems: files.filter(({ isForeign }) => !isForeign).map(untrusted) };
  }
  const { consentedSettings } = await import("./trust/settings.ts");
  return readProjectLayers(files, (path) => consentedSettings(path, cwd, trust));
}

function untrusted({ path }: ProjectFile): SettingProblem {
  const message = "not used: this folder is not trusted. `omp trust allow` changes that.";
  return { kind: "untrusted", place: path, message, origin: "project" };
}
