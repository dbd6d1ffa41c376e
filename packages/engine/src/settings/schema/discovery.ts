/** What is taken from files of this and other tools. */

import { setting, settingArea, Type, type Values } from "@omp/std";
import { texts } from "./kinds.ts";

export const contextArea = settingArea("", {
  disabledExtensions: setting(Type.Array(Type.String()), [], {
    label: "Disabled items",
    help: "Found items that are not used: `skill:x`, `rule:x`, `context-file:user:AGENTS.md`",
  }),
  includeWorkspaceTree: setting(Type.Boolean(), true, {
    label: "Workspace tree",
    help: "Tell the model what the project's folder holds, two levels deep",
  }),
});

const on = (label: string, help: string) => setting(Type.Boolean(), true, { label, help });

export const commandsArea = settingArea("commands", {
  enableClaudeUser: on("Claude commands, user", "Offer the commands of ~/.claude/commands"),
  enableClaudeProject: on("Claude commands, project", "Offer the commands of .claude/commands"),
  enableOpencodeUser: on(
    "OpenCode commands, user",
    "Offer the commands of ~/.config/opencode/commands",
  ),
  enableOpencodeProject: on(
    "OpenCode commands, project",
    "Offer the commands of .opencode/commands",
  ),
});

export const rulesArea = settingArea("rules", {
  enabled: on("Rules", "Tell the model the rules of the project and the person"),
});

export const skillsArea = settingArea("skills", {
  enabled: on("Skills", "Tell the model which skills it can read"),
  enablePiUser: on("Skills of omp, user", "Use the skills of ~/.omp/agent/skills"),
  enablePiProject: on("Skills of omp, project", "Use the skills of .omp/skills"),
  enableClaudeUser: on("Skills of Claude, user", "Use the skills of ~/.claude/skills"),
  enableClaudeProject: on("Skills of Claude, project", "Use the skills of .claude/skills"),
  enableCodexUser: on("Skills of Codex, user", "Use the skills of ~/.codex/skills"),
  enableAgentsUser: on("Shared skills, user", "Use the skills of ~/.agents/skills"),
  enableAgentsProject: on("Shared skills, project", "Use the skills of .agents/skills"),
  enableSkillCommands: on("Skill commands", "Offer skills as `/skill:name`"),
  customDirectories: texts([], "More folders", "Other folders with skills"),
  ignoredSkills: texts([], "Left out", "Patterns of skills not to load"),
  includeSkills: texts([], "Taken in", "Patterns of skills to load; empty for all"),
});

/** Each of these switches the places of one source: `<kind>:<source>:<level>`. */
export function closedPlaces(
  commands: Values<typeof commandsArea>,
  skills: Values<typeof skillsArea>,
): readonly string[] {
  const places: readonly (readonly [isOpen: boolean, place: string])[] = [
    [commands.enableClaudeUser, "slash-command:claude:user"],
    [commands.enableClaudeProject, "slash-command:claude:project"],
    [commands.enableOpencodeUser, "slash-command:opencode:user"],
    [commands.enableOpencodeProject, "slash-command:opencode:project"],
    [skills.enablePiUser, "skill:native:user"],
    [skills.enablePiProject, "skill:native:project"],
    [skills.enableClaudeUser, "skill:claude:user"],
    [skills.enableClaudeProject, "skill:claude:project"],
    [skills.enableCodexUser, "skill:codex:user"],
    [skills.enableAgentsUser, "skill:agents:user"],
    [skills.enableAgentsProject, "skill:agents:project"],
  ];
  return places.flatMap(([isOpen, place]) => (isOpen ? [] : [place]));
}
