/** The schemes of internal URLs. */

export const SCHEME_NAMES = [
  "artifact",
  "agent",
  "local",
  "history",
  "rule",
  "skill",
  "conflict",
] as const;
export type SchemeName = (typeof SCHEME_NAMES)[number];

export function schemeIn(url: string): SchemeName | undefined {
  const name = url.slice(0, url.indexOf("://")).toLowerCase();
  return SCHEME_NAMES.find((known) => known === name);
}
