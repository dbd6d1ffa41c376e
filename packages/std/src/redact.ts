/** Takes secrets out of text and fields before they are written anywhere. */

export interface Redactor {
  /** From now on this exact value is taken out. Values shorter than eight characters are ignored: they would hit words. */
  addSecret(value: string): void;
  redactText(text: string): string;
  /** A deep copy that is safe to write: plain JSON values, bounded in depth and width. */
  redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

const MARK = "[redacted]";
const SHORTEST_SECRET = 8;
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;

/**
 * Every pattern starts at a place that its own repetition cannot contain, so that hostile text costs
 * linear time.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    /\b((?:proxy-)?authorization|x-[a-z-]*api-key)(["']?\s{0,8}[:=]\s{0,8}["']?)[^\r\n"',;]+/gi,
    `$1$2${MARK}`,
  ],
  [/\b(bearer|basic)(\s{1,8})[A-Za-z0-9._~+/=-]{8,}/gi, `$1$2${MARK}`],
  [
    /(?<![\w-])(?:sk|rk|pk|xai|gsk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abpr]|hf)[-_][\w-]{12,}/g,
    MARK,
  ],
  [
    /(?<![\w-])(?:AIza[\w-]{30,}|(?:AKIA|ASIA)[0-9A-Z]{16}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)/g,
    MARK,
  ],
  [
    /([?&#;](?:[\w.-]{0,40}[_.-])?(?:api_?key|key|token|secret|password|signature|sig)=)[^&#\s"'<>]+/gi,
    `$1${MARK}`,
  ],
  [/:\/\/[^\s/?#"'<>]+@/g, `://${MARK}@`],
];

/** Compared without case, `-` and `_`. `tokens` (a count) is not a secret, `token` is. */
const SECRET_NAME =
  /(?:apikey|authorization|token|password|passwd|passphrase|secret|secretkey|credentials?|cookie|privatekey|accesskey|bearer)$/;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let secretPattern: RegExp | undefined;

  const redactText = (text: string): string => {
    if (secrets.size > 0) secretPattern ??= patternOf(secrets);
    let clean = secretPattern === undefined ? text : text.replace(secretPattern, MARK);
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
    return clean;
  };

  return {
    addSecret(value) {
      if (value.length < SHORTEST_SECRET || secrets.has(value)) return;
      for (const form of writtenForms(value)) secrets.add(form);
      // Most runs log nothing; the pattern is made for the first text.
      secretPattern = undefined;
    },
    redactText,
    redactFields: (fields) => copyFields(Object.entries(fields), 0, redactText),
  };
}

/** The longest goes first, so that a secret which contains another one leaves no rest. */
function patternOf(secrets: ReadonlySet<string>): RegExp {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((secret) => RegExp.escape(secret)).join("|"), "g");
}

/** The value as it stands in plain text, in a URL and in JSON. */
function writtenForms(value: string): string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
}

type RedactText = (text: string) => string;

function copyFields(
  entries: Iterable<readonly [unknown, unknown]>,
  depth: number,
  redactText: RedactText,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  let count = 0;
  for (const [key, value] of entries) {
    if (count++ === MAX_ITEMS) break;
    const name = String(key);
    copy[name] = isSecret(name, value) ? MARK : copyValue(value, depth, redactText);
  }
  return copy;
}

/** A flag or an absence under a secret's name tells nothing. */
function isSecret(name: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return false;
  return SECRET_NAME.test(name.toLowerCase().replaceAll(/[-_]/g, ""));
}

function copyValue(value: unknown, depth: number, redactText: RedactText): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[too deep]";
  if (value instanceof Date || value instanceof URL) return redactText(String(value));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return copyFields(errorEntries(value), depth + 1, redactText);
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((item) => copyValue(item, depth + 1, redactText));
  }
  const hasEntries = value instanceof Map || value instanceof Headers;
  return copyFields(hasEntries ? value.entries() : Object.entries(value), depth + 1, redactText);
}

/** `message` and `stack` are not enumerable, but they are what a log is read for. */
function errorEntries(error: Error): (readonly [string, unknown])[] {
  const { name, message, stack, cause } = error;
  return [
    ["name", name],
    ["message", message],
    ["stack", stack],
    ...Object.entries(error),
    ["cause", cause],
  ];
}
