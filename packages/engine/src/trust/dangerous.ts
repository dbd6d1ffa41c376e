/** Which settings of a project redirect what omp does, run something, or loosen what protects the person. */

export interface Danger {
  /** `a.b.0.c` */
  readonly path: string;
  readonly why: string;
}

/** Over the path with dots, without case. The first that fits says why. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)(?:base_?urls?|url|endpoint|host|hostname|server)$/, "sends requests elsewhere"],
  [/(?:^|\.)\w*(?:base_?url|endpoint|_host)$/, "sends requests elsewhere"],
  [/(?:^|\.)(?:http|https|all|no)?_?proxy(?:\.|$)/, "sends traffic through a proxy"],
  [/(?:^|\.)(?:custom_?)?headers(?:\.|$)/, "adds headers to requests"],
  [/(?:^|\.)api_?key_?helper$/, "runs a program to get a key"],
  [/(?:^|\.)\w*api_?key\w*$/, "decides which key is used"],
  [/(?:^|\.)\w*(?:token|password|secret|credentials?)$/, "decides which credential is used"],
  [
    /(?:^|\.)\w*(?:ca_?(?:file|cert|certs|bundle|path)|certs?|certificate)$/,
    "decides whom to trust",
  ],
  [
    /(?:^|\.)\w*(?:insecure|reject_?unauthorized|ssl_?verify|verify_?ssl|tls)$/,
    "weakens encryption",
  ],
  [/(?:^|\.)shell(?:_?path|_?prefix|_?args|_?snapshot)?$/, "chooses the shell"],
  [/(?:^|\.)\w*(?:command|cmd|executable|binary|interpreter|argv)$/, "runs a program"],
  [/(?:^|\.)args$/, "runs a program"],
  [/(?:^|\.)\w*(?:path_?to_?\w+|python_?path|node_?path|bin_?path|exec_?path)$/, "runs a program"],
  [/(?:^|\.)hooks?(?:\.|$)/, "runs hooks"],
  [/(?:^|\.)(?:extensions?|plugins?|packages|custom_?tools|marketplaces?)(?:\.|$)/, "loads code"],
  [
    /(?:^|\.)mcp(?:_?servers?)?(?:\.|$)|enable_?all_?project_?mcp|enabled_?mcpjson/,
    "starts servers",
  ],
  [
    /(?:^|\.)(?:lsp|dap|debuggers?|language_?servers?|formatters?)\.(?!enabled$)\w/,
    "starts servers",
  ],
  [/(?:^|\.)(?:share|export|upload|gist)(?:\.|$)|share_?handler/, "sends sessions elsewhere"],
  [/(?:^|\.)(?:telemetry|otel|webhook)\w*(?:\.|$)/, "sends data elsewhere"],
  [/(?:^|\.)(?:env|environment|child_?env|variables)(?:\.|$)/, "sets the environment of programs"],
  [/^(?:tools\.approval|approvals?|permissions?|sandbox|trust)/, "lets tools do more unasked"],
  [
    /(?:^|\.)(?:yolo|auto_?approve|allow_?home|skip_?permissions|dangerously\w*)/,
    "lets tools do more unasked",
  ],
  [/^(?:secrets|deny)/, "shows secrets or lifts protection"],
  [/(?:^|\.)(?:auth|oauth|broker|gateway)(?:\.|$)/, "decides who gets credentials"],
  [
    /(?:^|\.)(?:session_?dir|session\.dir|log_?file|log_?dir|output_?dir|cache_?dir)$/,
    "writes elsewhere",
  ],
  [/(?:^|\.)(?:additional_?directories|add_?dirs?|write_?roots)(?:\.|$)/, "opens other folders"],
  [/(?:^|\.)status_?line\.command$/, "runs a program"],
];

const MAX_DEPTH = 32;

/** Everything below a dangerous name is one danger: its whole value counts. */
export function dangerousIn(settings: unknown): readonly Danger[] {
  return [...dangersBelow(settings, "", 0)];
}

function* dangersBelow(value: unknown, path: string, depth: number): Generator<Danger> {
  const why = path === "" ? undefined : reasonFor(path, value);
  if (why !== undefined) yield { path, why };
  else if (depth >= MAX_DEPTH) yield { path, why: "is nested too deeply to be checked" };
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* dangersBelow(inner, path === "" ? key : `${path}.${key}`, depth + 1);
    }
  }
}

function reasonFor(path: string, value: unknown): string | undefined {
  if (typeof value === "string" && value.trimStart().startsWith("!")) return "runs a command";
  // `shellPath`, `shell-path` and `shell_path` are one name.
  const name = path
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  return RULES.find(([pattern]) => pattern.test(name))?.[1];
}

/** The value that a danger speaks of. */
export function valueAt(settings: unknown, path: string): unknown {
  for (const end of ends(path)) {
    if (typeof settings !== "object" || settings === null) return undefined;
    const key = path.slice(0, end);
    if (!Object.hasOwn(settings, key)) continue;
    const inner = (settings as Record<string, unknown>)[key];
    return end === path.length ? inner : valueAt(inner, path.slice(end + 1));
  }
  return undefined;
}

/** A key may have dots itself: the longest that fits is meant. */
function ends(path: string): number[] {
  const dots = [...path.matchAll(/\./g)].map(({ index }) => index);
  return [path.length, ...dots.reverse()];
}
