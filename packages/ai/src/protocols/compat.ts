/** How a server of the Chat Completions family differs: what the model says, else what its host is known for. */

import type { Compat } from "../schema/compat.ts";
import type { Model } from "../schema/model.ts";
import { PLAIN } from "./sampling.ts";
import { HOSTED, HOST_RULES, type HostRule } from "./compat-hosts.ts";

/** Every switch that has a default has a value; the rest is absent where nobody set it. */
export type ResolvedCompat = Compat & typeof ASSUMED;

/** Pure, and cheap enough to be asked for each request. What the model says wins over what is known of its host. */
export function compatFor(model: Model): ResolvedCompat {
  const host = hostnameOf(model.baseUrl);
  const rules = HOST_RULES.filter((rule) => applies(rule, model, host)).map(({ compat }) => compat);
  const isHosted = HOSTED.some((domain) => isUnder(host, domain));
  const joined = [
    { supportsMultipleSystemMessages: isHosted },
    ...rules,
    // Who asks for strict tools on all of them has checked that the server takes them.
    model.compat?.toolStrictMode === "all_strict" ? { supportsStrictMode: true } : {},
    model.compat ?? {},
  ].reduce<Compat>(joinCompat, ASSUMED);
  return joined as ResolvedCompat;
}

/** What is assumed of a server nobody knows: the oldest and plainest form of the wire. */
const ASSUMED = {
  supportsStore: false as boolean,
  supportsDeveloperRole: false as boolean,
  supportsMultipleSystemMessages: false as boolean,
  supportsUsageInStreaming: true as boolean,
  maxTokensField: "max_tokens" as "max_tokens" | "max_completion_tokens",
  supportsToolChoice: true as boolean,
  supportsNamedToolChoice: true as boolean,
  supportsReasoningEffort: true as boolean,
  thinkingFormat: "openai" as NonNullable<Compat["thinkingFormat"]>,
  allowsSyntheticReasoningContentForToolCalls: true as boolean,
  supportsStrictMode: false as boolean,
  samplingFields: PLAIN,
};

/** Both say something: the second wins, but maps and bodies are joined key by key. */
function joinCompat(first: Compat, second: Compat): Compat {
  const joined: Record<string, unknown> = { ...first, ...second };
  for (const key of JOINED_KEYS) {
    if (first[key] && second[key]) joined[key] = { ...first[key], ...second[key] };
  }
  return joined;
}

const JOINED_KEYS = ["extraBody", "reasoningEffortMap", "thinkingBody"] as const;

function applies(rule: HostRule, model: Model, host: string): boolean {
  const { providers, hosts, models, onlyReasoning } = rule;
  const isAtHost =
    (!providers && !hosts) ||
    providers?.includes(model.provider) ||
    hosts?.some((domain) => isUnder(host, domain));
  return Boolean(
    isAtHost && (!models || models.test(model.id)) && (!onlyReasoning || model.reasoning),
  );
}

/** Whether the model's address belongs to a domain, or to one below it. */
export function isAt(model: Model, domain: string): boolean {
  return isUnder(hostnameOf(model.baseUrl), domain);
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
