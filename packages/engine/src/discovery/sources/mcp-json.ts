/** `mcp.json` in the project itself. */

import { file, type Source } from "../source.ts";

export const mcpJson: Source = {
  id: "mcp-json",
  name: "mcp.json",
  priority: 5,
  spots: { "mcp-server": [file("cwd", "mcp.json"), file("cwd", ".mcp.json")] },
};
