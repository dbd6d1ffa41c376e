/** A parsed command line: what was asked for, before anything in the world was looked at. */

/** `rpc-ui` is an older name of `rpc`. */
export type OutputMode = "text" | "json" | "rpc" | "rpc-ui";
export type ThinkingWish = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

export interface Invocation {
  /** Name of the subcommand; undefined starts the agent. */
  command: string | undefined;
  /** Words that are neither flags nor files: one prompt each, or what the subcommand takes. */
  messages: string[];
  /** Flags of the subcommand itself: name to value, empty for a switch. */
  options: Record<string, string>;
  /** `@path` arguments, without the `@`. */
  files: string[];
  /** Settings by full name, as flags gave them. */
  settings: Record<string, unknown>;
  /** Environment variables that flags stand for. */
  variables: Record<string, string>;
  /** Paths of `--config`, the later ones the stronger. */
  configFiles: string[];
  isConfigStrict: boolean;
  /** Paths of `--add-dir`. */
  addedFolders: string[];
  isHomeAllowed: boolean;
  isTrusting: boolean;
  /** US dollars. */
  maxCost: number | undefined;
  maxTimeMs: number | undefined;
  /** A path or the JSON itself. */
  outputSchema: string | undefined;
  isHelp: boolean;
  isVersion: boolean;
  isPrint: boolean;
  isContinue: boolean;
  isInMemory: boolean;
  /** A path, an id or its beginning; empty to choose one from a list. */
  resume: string | undefined;
  /** The session to go on in a copy of. */
  fork: string | undefined;
  /** The session file to make a page of. */
  exportFile: string | undefined;
  isTitleless: boolean;
  printsThoughts: boolean;
  mode: OutputMode;
  model: string | undefined;
  provider: string | undefined;
  /** Patterns of the models to go through. */
  models: readonly string[] | undefined;
  /** Role to model, as flags gave them. */
  roles: Record<string, string>;
  thinking: ThinkingWish | undefined;
  apiKey: string | undefined;
  sessionDir: string | undefined;
  cwd: string | undefined;
  tools: readonly string[] | undefined;
  systemPrompt: string | undefined;
  appendSystemPrompt: string | undefined;
}

export function emptyInvocation(): Invocation {
  return {
    command: undefined,
    messages: [],
    options: {},
    files: [],
    settings: {},
    variables: {},
    configFiles: [],
    isConfigStrict: false,
    addedFolders: [],
    isHomeAllowed: false,
    isTrusting: false,
    maxCost: undefined,
    maxTimeMs: undefined,
    outputSchema: undefined,
    isHelp: false,
    isVersion: false,
    isPrint: false,
    isContinue: false,
    isInMemory: false,
    resume: undefined,
    fork: undefined,
    exportFile: undefined,
    isTitleless: false,
    printsThoughts: false,
    mode: "text",
    model: undefined,
    provider: undefined,
    models: undefined,
    roles: {},
    thinking: undefined,
    apiKey: undefined,
    sessionDir: undefined,
    cwd: undefined,
    tools: undefined,
    systemPrompt: undefined,
    appendSystemPrompt: undefined,
  };
}
