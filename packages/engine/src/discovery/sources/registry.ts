/** Every source, the stronger first. Equal priorities count in this order. */

import type { Source } from "../source.ts";
import { agents } from "./agents.ts";
import { claude } from "./claude.ts";
import { claudePlugins } from "./claude-plugins.ts";
import { codex } from "./codex.ts";
import { cline, cursor, vscode, windsurf } from "./editors.ts";
import { gemini } from "./gemini.ts";
import { github } from "./github.ts";
import { native } from "./native.ts";
import { opencode } from "./opencode.ts";
import { agentsMd, claudeMd, mcpJson } from "./standalone.ts";

const all: readonly Source[] = [
  native,
  claude,
  claudePlugins,
  codex,
  agents,
  gemini,
  opencode,
  cursor,
  windsurf,
  cline,
  github,
  vscode,
  agentsMd,
  claudeMd,
  mcpJson,
];

export const sources: readonly Source[] = all.toSorted((a, b) => b.priority - a.priority);
