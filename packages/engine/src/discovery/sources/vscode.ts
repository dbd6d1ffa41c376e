/** VS Code. */

import { file, type Source } from "../source.ts";

export const vscode: Source = {
  id: "vscode",
  name: "VS Code",
  priority: 20,
  spots: { "mcp-server": [file("cwd", ".vscode/mcp.json", { field: "servers" })] },
};
