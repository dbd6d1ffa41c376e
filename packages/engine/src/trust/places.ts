/** Where a project keeps what runs or redirects, of omp and of the tools whose files omp understands. */

/** Programs: every file of the folder with one of the endings, and `<name>/index.*`. */
export interface ProgramPlace {
  readonly kind: string;
  readonly folder: string;
  readonly why: string;
}

/** Files of data: what is dangerous in them is one piece. */
export interface DataPlace {
  readonly path: string;
  /** Under which names the file lists servers, each a piece of its own. */
  readonly servers?: readonly string[];
}

export const PROGRAM_ENDINGS = /\.(?:[mc]?[jt]sx?|sh|bash|zsh|py|rb|pl|exe|cmd|bat|ps1)$/i;

export const PROGRAMS: readonly ProgramPlace[] = [".omp", ".claude", ".codex", ".gemini"].flatMap(
  (base) => [
    { kind: "hook", folder: `${base}/hooks`, why: "runs around tool calls" },
    { kind: "hook", folder: `${base}/hooks/pre`, why: "runs before tool calls" },
    { kind: "hook", folder: `${base}/hooks/post`, why: "runs after tool calls" },
    { kind: "tool", folder: `${base}/tools`, why: "a tool the model can run" },
    { kind: "extension-module", folder: `${base}/extensions`, why: "runs inside omp" },
    { kind: "slash-command", folder: `${base}/commands`, why: "runs when it is typed" },
  ],
);

export const COMMAND_FOLDERS: readonly string[] = [
  ".omp/commands",
  ".claude/commands",
  ".codex/commands",
  ".codex/prompts",
  ".gemini/commands",
  ".opencode/command",
  ".opencode/commands",
];

/** What files of all tools call their list of servers. */
export const MCP: readonly string[] = ["mcpServers", "servers", "mcp", "mcp_servers"];

export const DATA: readonly DataPlace[] = [
  ...[".omp", ".claude", ".codex", ".gemini"].flatMap((base) => [
    { path: `${base}/settings.json`, servers: MCP },
    { path: `${base}/settings.local.json`, servers: MCP },
    { path: `${base}/config.yml`, servers: MCP },
    { path: `${base}/config.yaml`, servers: MCP },
    { path: `${base}/config.toml`, servers: MCP },
    { path: `${base}/mcp.json`, servers: MCP },
    { path: `${base}/.mcp.json`, servers: MCP },
  ]),
  { path: ".mcp.json", servers: MCP },
  { path: "mcp.json", servers: MCP },
  { path: ".cursor/mcp.json", servers: MCP },
  { path: ".vscode/mcp.json", servers: MCP },
  { path: ".windsurf/mcp_config.json", servers: MCP },
  { path: "opencode.json", servers: MCP },
  { path: "opencode.jsonc", servers: MCP },
  ...["models", "lsp", "dap", "ssh", "hooks"].flatMap((name) =>
    ["json", "yml", "yaml"].map((ending) => ({ path: `.omp/${name}.${ending}` })),
  ),
  ...["lsp.json", ".lsp.json", "dap.json"].map((path) => ({ path })),
];

/** Extensions that describe themselves by a file. */
export const MANIFEST_FOLDERS: readonly string[] = [
  ".omp/extensions",
  ".omp/plugins",
  ".claude/plugins",
  ".gemini/extensions",
];

export const MANIFESTS: readonly string[] = [
  "gemini-extension.json",
  "package.json",
  ".claude-plugin/plugin.json",
];
