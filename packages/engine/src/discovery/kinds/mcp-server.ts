/** MCP servers: the entries of `mcp.json` and its like. Only listed here. */

import type { McpServer } from "../item.ts";
import { itemOf, textOf, type Kind } from "../kind.ts";

export const mcpServer: Kind<McpServer> = {
  key: ({ name }) => name,
  read(found, reader) {
    const text = reader.text(found.path);
    const document: unknown = found.path.endsWith(".toml")
      ? Bun.TOML.parse(text)
      : Bun.JSONC.parse(text);
    const servers = recordOf(recordOf(document)?.[found.says["field"] ?? "mcpServers"]) ?? {};
    return Object.entries(servers).flatMap(([name, value]) => {
      const definition = recordOf(value);
      if (definition && isStartable(definition)) return [{ ...itemOf(found), name, definition }];
      reader.warn(found.path, `${name}: not used: a server needs a command or a url`);
      return [];
    });
  },
};

/** One that cannot be started must not hide another of its name. */
function isStartable({ command, url, httpUrl, serverUrl }: Record<string, unknown>): boolean {
  const isCommand = Array.isArray(command) ? command.length > 0 : textOf(command) !== undefined;
  return isCommand || [url, httpUrl, serverUrl].some((one) => textOf(one) !== undefined);
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}
