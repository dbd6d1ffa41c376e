/** Flags that change the system prompt. */

import type { Flag } from "../flag.ts";

export const promptFlags: readonly Flag[] = [
  {
    name: "system-prompt",
    value: "<text|file>",
    category: "Prompt",
    help: "Replace the built-in system prompt",
    apply: (invocation, value) => void (invocation.systemPrompt = value),
  },
  {
    name: "append-system-prompt",
    value: "<text|file>",
    category: "Prompt",
    help: "Add to the end of the system prompt",
    apply: (invocation, value) => void (invocation.appendSystemPrompt = value),
  },
  {
    name: "no-rules",
    category: "Prompt",
    help: "Do not tell the model any rules; context files stay",
    apply: (invocation) => void (invocation.settings["rules.enabled"] = false),
  },
  {
    name: "no-skills",
    category: "Prompt",
    help: "Do not tell the model of any skills",
    apply: (invocation) => void (invocation.settings["skills.enabled"] = false),
  },
];
