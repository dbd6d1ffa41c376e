/** Every kind. A new one is its item in item.ts, a file, and a line here. */

import type { Kind } from "../kind.ts";
import type { KindId, KindItems } from "../item.ts";
import { contextFile } from "./context-file.ts";
import { hook } from "./hook.ts";
import { extension, extensionModule, settingsFile, tool } from "./listed.ts";
import { markdown } from "./markdown.ts";
import { mcpServer } from "./mcp-server.ts";
import { promptFile } from "./prompt-file.ts";
import { rule } from "./rule.ts";
import { skill } from "./skill.ts";

export const kinds: { readonly [Id in KindId]: Kind<KindItems[Id]> } = {
  "context-file": contextFile,
  "slash-command": markdown,
  prompt: markdown,
  instruction: markdown,
  rule,
  skill,
  hook,
  tool,
  "extension-module": extensionModule,
  extension,
  "mcp-server": mcpServer,
  settings: settingsFile,
  "system-prompt": promptFile,
};
