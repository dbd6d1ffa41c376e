/** Every source, the stronger first. Equal priorities count in this order. */

import type { Source } from "../source.ts";
import { agents } from "./agents.ts";
import { agentsMd } from "./agents-md.ts";
import { claude } from "./claude.ts";
import { claudeMd } from "./claude-md.ts";
import { claudePlugins } from "./claude-plugins.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { github } from "./github.ts";
import { mcpJson } from "./mcp-json.ts";
import { native } from "./native.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";

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
