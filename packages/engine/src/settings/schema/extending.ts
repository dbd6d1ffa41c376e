/** Subagents, extensions, and what is discovered in folders. */

import { plannedArea, type SettingArea } from "@omp/std";
import { choice, count, names, texts, toggle } from "./kinds.ts";

const task = plannedArea("task", {
  batch: toggle(true, "Several tasks", "Let one call start several subagents"),
  maxConcurrency: count(32, "Subagents at once", "How many subagents run at the same time", {
    minimum: 1,
  }),
  maxRecursionDepth: count(
    2,
    "Depth",
    "How deep subagents may start subagents; -1 removes the limit",
    { minimum: -1 },
  ),
  maxRuntimeMs: count(
    0,
    "Time of a subagent",
    "Milliseconds that one may run; 0 removes the limit",
  ),
  agentIdleTtlMs: count(420_000, "Idle subagents", "Milliseconds until an idle one is put away"),
  softRequestBudget: count(
    200,
    "Requests of a subagent",
    "Requests after which it is told to finish; 0 for never",
  ),
  softRequestBudgetNotice: toggle(true, "Tell to finish", "Whether it is told"),
  agentModelOverrides: names("Models of agents", "Agent name to the model that it uses"),
  disabledAgents: texts([], "Agents off", "Names of agents that cannot be started"),
  eager: choice(
    ["default", "off", "on"],
    "default",
    "Delegation",
    "Whether the model is pushed to delegate",
  ),
  enableLsp: toggle(false, "Language servers", "Give subagents the lsp tool"),
});

const isolation = plannedArea("task.isolation", {
  mode: choice(
    ["none", "worktree", "fuse-overlay", "fuse-projfs"],
    "none",
    "Isolation",
    "Where subagents work that are asked to be isolated",
  ),
  merge: choice(["patch", "branch"], "patch", "Way back", "How their changes come back"),
  commits: choice(
    ["generic", "ai"],
    "generic",
    "Commit messages",
    "Who words the commits of isolated work",
  ),
});

const general = plannedArea("", {
  extensions: texts([], "Extensions", "Paths of extensions to load"),
});

const mcp = plannedArea("mcp", {
  discoveryMode: toggle(false, "Hide MCP tools", "Older form of `tools.discoveryMode: mcp-only`"),
  enableProjectConfig: toggle(true, "Project servers", "Use the MCP servers that a project names"),
  notifications: toggle(false, "Notices of servers", "Show when a resource of a server changed"),
  notificationDebounceMs: count(
    500,
    "Gather notices",
    "Milliseconds in which notices are gathered",
  ),
});

const ttsr = plannedArea("ttsr", {
  enabled: toggle(true, "Stream rules", "Watch answers for what rules forbid"),
  contextMode: choice(
    ["discard", "keep"],
    "discard",
    "Broken answer",
    "What happens to the text before a rule spoke",
  ),
  interruptMode: choice(
    ["always", "prose-only", "tool-only", "never"],
    "always",
    "When to interrupt",
    "Where a rule may end an answer",
  ),
  repeatMode: choice(["once", "after-gap"], "once", "Repeat", "Whether a rule speaks again"),
  repeatGap: count(10, "Gap", "Turns between two reminders"),
  builtinRules: toggle(true, "Built-in rules", "Use the rules that come with omp"),
  disabledRules: texts([], "Rules off", "Names of rules not to use"),
});

const others = [
  plannedArea("secrets", {
    enabled: toggle(false, "Veil secrets", "Put placeholders where secrets would be sent"),
  }),
  plannedArea("dev", {
    autoqa: toggle(
      false,
      "Report trouble with tools",
      "Let the model note trouble with tools in a local file",
    ),
  }),
  plannedArea("share", {
    redactSecrets: toggle(true, "Redact shared pages", "Take secrets out of what is shared"),
  }),
];

export const extendingAreas: readonly SettingArea[] = [
  task,
  isolation,
  general,
  mcp,
  ttsr,
  ...others,
];
