/** A cache miss in words for the person who pays for it. Pure. */

import type { CacheMiss } from "../protocol/commands/ledger.ts";

const MINUTE_MS = 60_000;

export function explainMiss({ reason, tokens }: CacheMiss): string {
  const lost = `${tokens} tokens were not read from the provider's cache: `;
  switch (reason.kind) {
    case "model":
      return `${lost}the model changed from ${reason.before}.`;
    case "thinking":
      return `${lost}the thinking level changed from ${reason.before}.`;
    case "tools":
      return `${lost}the tools changed${named(reason)}.`;
    case "system-prompt":
      return `${lost}the system prompt changed at character ${reason.at}.`;
    case "messages":
      return `${lost}the history changed at message ${reason.index + 1}.`;
    case "expired":
      return `${lost}nothing changed; the provider forgot it within ${minutes(reason.idleMs)}.`;
  }
}

function named({ added, removed }: Extract<CacheMiss["reason"], { kind: "tools" }>): string {
  const parts = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)];
  return parts.length > 0 ? ` (${parts.join(", ")})` : " in what they say";
}

function minutes(ms: number): string {
  return ms < MINUTE_MS ? "a minute" : `${Math.ceil(ms / MINUTE_MS)} minutes`;
}
