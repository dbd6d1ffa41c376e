/** What is found in files, and the system prompt that is made of it. */

import type { UiPort } from "@omp/agent";
import type { ToolSchema } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import { SystemPrompt, type PromptOverrides } from "./context/system-prompt.ts";
import type { SkillSwitches } from "./discovery/custom-skills.ts";
import { Discovery, type Switches } from "./discovery/discovery.ts";
import type { EventHub } from "./engine.ts";
import type { Environment, Paths } from "./paths.ts";
import {
  closedPlaces,
  commandsArea,
  contextArea,
  rulesArea,
  skillsArea,
} from "./settings/schema/discovery.ts";
import { modelArea } from "./settings/schema/model.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";
import type { SettingsStore } from "./settings/store.ts";

export interface ContextDeps {
  readonly options: PromptOverrides;
  readonly settings: SettingsStore;
  readonly paths: Paths;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly ui: Pick<UiPort, "tell">;
  cwd(): string;
  tools(): readonly ToolSchema[];
}

export interface Context {
  readonly discovery: Discovery;
  readonly prompt: SystemPrompt;
}

export function composeContext(deps: ContextDeps): Context {
  const { options, settings, paths, environment, clock, ui } = deps;
  const discovery = new Discovery({
    place: () => ({ cwd: deps.cwd(), home: paths.home, agentDir: paths.agent }),
    switches: (cwd) => switchesOf(settings, cwd, paths),
  });
  const prompt = new SystemPrompt({
    discovery,
    overrides: options,
    clock,
    platform: `${process.platform} ${process.arch}`,
    uses: {
      anything: environment["NULL_PROMPT"] !== "true",
      rules: settings.values(rulesArea).enabled,
      skills: settings.values(skillsArea).enabled,
      tree: settings.values(contextArea).includeWorkspaceTree,
    },
    tools: deps.tools,
    warn: ({ place, text }) => ui.tell({ level: "warning", text: `${place}: ${text}` }),
  });
  return { discovery, prompt };
}

/** A session that begins reads its files anew; one that goes on keeps its prompt, and the provider's cache. */
export function refreshOnNewSession(hub: Pick<EventHub, "subscribe">, discovery: Discovery): void {
  hub.subscribe((event) => {
    if (event.type === "session_switch" && event.reason !== "fork") discovery.forget();
  });
}

export function offersSkillCommands(settings: SettingsStore): boolean {
  const { enabled, enableSkillCommands } = settings.values(skillsArea);
  return enabled && enableSkillCommands;
}

function switchesOf(settings: SettingsStore, cwd: string, { home }: Paths): Switches {
  return {
    sources: valuesIn(cwd, settings.values(modelArea).disabledProviders, home),
    items: settings.values(contextArea).disabledExtensions,
    places: closedPlaces(settings.values(commandsArea), settings.values(skillsArea)),
    skills: skillSwitches(settings),
  };
}

function skillSwitches(settings: SettingsStore): SkillSwitches {
  const { customDirectories, ignoredSkills, includeSkills } = settings.values(skillsArea);
  const origin = settings.origin(skillsArea, "customDirectories");
  return {
    folders: customDirectories,
    level: origin === "project" ? "project" : "user",
    ignored: ignoredSkills,
    included: includeSkills,
  };
}
