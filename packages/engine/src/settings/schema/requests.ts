/** What model requests carry, and what happens when they go wrong. */

import { plannedArea, setting, Type, type SettingArea } from "@omp/std";
import { amount, choice, count, texts, toggle } from "./kinds.ts";

const general = plannedArea("", {
  cycleOrder: texts(
    ["smol", "default", "slow"],
    "Roles to cycle",
    "Roles that the key for the next model goes through, in this order",
  ),
  hideThinkingBlock: toggle(false, "Hide thinking", "Show nothing of the model's thinking"),
  includeModelInPrompt: toggle(
    true,
    "Name the model",
    "The system prompt says which model it is for",
  ),
});

const tier = plannedArea("tier", {
  openai: choice(
    ["none", "auto", "default", "flex", "scale", "priority"],
    "none",
    "Service tier of OpenAI",
    "Speed and price class that requests ask for; `none` asks for nothing",
  ),
});

const loopGuard = plannedArea("model.loopGuard", {
  enabled: toggle(true, "Loop guard", "Stop an answer that repeats itself"),
});

const toolCallLoopGuard = plannedArea("model.toolCallLoopGuard", {
  enabled: toggle(
    true,
    "Tool loop guard",
    "Tell the model when it makes the same tool call again and again",
  ),
  threshold: count(5, "Equal tool calls", "How many equal calls in a row are too many", {
    minimum: 2,
  }),
});

const fallbackChains = Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
  type: "object",
  additionalProperties: { type: "array", items: { type: "string" } },
});

const retry = plannedArea("retry", {
  modelFallback: toggle(
    true,
    "Fallback models",
    "Go on with another model when retries are used up",
  ),
  fallbackChains: setting(
    fallbackChains,
    {},
    {
      label: "Fallback chains",
      help: "Role, model or `provider/*` to the models that stand in for it, in order",
    },
  ),
  fallbackRevertPolicy: choice(
    ["cooldown-expiry", "never"],
    "cooldown-expiry",
    "Return from a fallback",
    "When the first model is used again",
  ),
});

const providers = plannedArea("providers", {
  cacheRetention: choice(
    ["auto", "short", "long", "none"],
    "auto",
    "Prompt cache",
    "How long providers keep the beginning of a conversation",
    { env: "PI_CACHE_RETENTION" },
  ),
  maxInFlightRequests: setting(
    Type.Unsafe<Readonly<Record<string, number>>>({
      type: "object",
      additionalProperties: { type: "integer", minimum: 1 },
    }),
    {},
    {
      label: "Requests at once",
      help: "Provider to the number of requests it gets at the same time",
    },
  ),
  streamFirstEventTimeoutSeconds: amount(
    -1,
    "Wait for an answer",
    "Seconds until the first event of a stream; -1 keeps the provider's own limit",
    { minimum: -1 },
  ),
  streamIdleTimeoutSeconds: amount(
    -1,
    "Silence in an answer",
    "Seconds between two events of a stream; -1 keeps the provider's own limit",
    { minimum: -1 },
  ),
  openaiWebsockets: choice(
    ["auto", "off", "on"],
    "auto",
    "Web sockets",
    "Whether Codex is called over a web socket",
  ),
});

const provider = plannedArea("provider", {
  appendOnlyContext: choice(
    ["auto", "on", "off"],
    "auto",
    "Append-only context",
    "Only add to what was sent before, so that the provider's cache holds",
  ),
});

const features = plannedArea("features", {
  unexpectedStopDetection: choice(
    ["off", "mechanical", "model"],
    "mechanical",
    "Unexpected stops",
    "How an answer that stops without a reason is noticed and continued",
  ),
});

const broker = plannedArea("auth.broker", {
  url: setting(Type.String(), "", {
    label: "Broker of credentials",
    help: "Server that keeps the credentials",
    env: "OMP_AUTH_BROKER_URL",
  }),
  token: setting(Type.String(), "", {
    label: "Token of the broker",
    help: "Key for the broker; `$NAME` takes it from the environment",
    env: "OMP_AUTH_BROKER_TOKEN",
    isSecret: true,
  }),
});

const codexResets = plannedArea("codexResets", {
  autoRedeem: choice(
    ["unset", "off", "ask", "auto"],
    "unset",
    "Spend saved resets",
    "What happens with saved resets when the plan's limit is reached",
  ),
  minBlockedMinutes: count(60, "Least wait", "Minutes of waiting that are worth a reset"),
  keepCredits: count(0, "Resets to keep", "How many resets are never spent"),
});

export const requestAreas: readonly SettingArea[] = [
  general,
  tier,
  loopGuard,
  toolCallLoopGuard,
  retry,
  providers,
  provider,
  features,
  broker,
  codexResets,
];
