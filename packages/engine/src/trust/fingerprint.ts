/** What consent is bound to: the parts of an item, each by its hash, and one hash over all of them. */

/** Part to hash: a file by its path below the project, a field by its name. */
export type Parts = Readonly<Record<string, string>>;

export function hashOf(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

export function contentHashOf(parts: Parts): string {
  return hashOf(canonicalJson(parts));
}

/** The same text for the same value, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
}

export interface Change {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function changeBetween(before: Parts, now: Parts): Change {
  const names = Object.keys(now);
  return {
    changed: names.filter((name) => Object.hasOwn(before, name) && before[name] !== now[name]),
    added: names.filter((name) => !Object.hasOwn(before, name)),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(now, name)),
  };
}

const SHOWN = 5;

/** "changed: a.ts, b.ts; new: c.ts" */
export function changeText({ changed, added, removed }: Change): string {
  return Object.entries({ changed, new: added, gone: removed })
    .filter(([, names]) => names.length > 0)
    .map(([word, names]) => {
      const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
      return `${word}: ${names.slice(0, SHOWN).join(", ")}${more}`;
    })
    .join("; ");
}
