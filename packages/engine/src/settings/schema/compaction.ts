/** Settings of compaction: when a conversation is summarized, how, and what of it stays as it is. */

import { setting, settingArea, Type, type Values } from "@omp/std";

export const COMPACTION_STRATEGIES = ["context-full", "outline", "handoff", "off"] as const;

/** Minus one is "not set". */
const limit = { minimum: -1 };
const amount = { minimum: 0 };

export const compactionArea = settingArea("compaction", {
  enabled: setting(Type.Boolean(), true, {
    label: "Automatic compaction",
    help: "Summarize the conversation before it outgrows the model's window",
  }),
  strategy: setting(
    Type.Unsafe<(typeof COMPACTION_STRATEGIES)[number]>(Type.Enum([...COMPACTION_STRATEGIES])),
    "context-full",
    {
      label: "Way of compaction",
      help:
        "A summary by a model (`context-full`), an outline without a model (`outline`), a new session " +
        "with a handoff document (`handoff`), or nothing by itself (`off`)",
    },
  ),
  reserveTokens: setting(Type.Integer(amount), 16_384, {
    label: "Reserved tokens",
    help: "How much of the window is kept free for the answer",
  }),
  keepRecentTokens: setting(Type.Integer(amount), 20_000, {
    label: "Recent tokens",
    help: "How much of the end of the conversation stays as it is",
  }),
  autoContinue: setting(Type.Boolean(), true, {
    label: "Continue",
    help: "Let the model go on after a compaction at the end of a run",
  }),
  midTurnEnabled: setting(Type.Boolean(), true, {
    label: "Between tool calls",
    help: "Compact in the middle of a run as well, not at its end only",
  }),
  remoteEnabled: setting(Type.Boolean(), true, {
    label: "Remote compaction",
    help: "Let the provider or `compaction.remoteEndpoint` summarize, where they can",
  }),
  remoteEndpoint: setting(Type.String(), "", {
    label: "Summary endpoint",
    help: "URL that answers `{systemPrompt, prompt}` with `{summary}`",
  }),
  thresholdPercent: setting(Type.Number({ ...limit, maximum: 100 }), -1, {
    label: "Threshold in percent",
    help: "Share of the window that starts a compaction; -1 leaves room for the answer",
  }),
  thresholdTokens: setting(Type.Integer(limit), -1, {
    label: "Threshold in tokens",
    help: "Tokens that start a compaction, before the percentage; -1 is not set",
  }),
  idleEnabled: setting(Type.Boolean(), false, {
    label: "Idle compaction",
    help: "Compact a large conversation when nobody says anything for a while",
  }),
  idleThresholdTokens: setting(Type.Integer(amount), 200_000, {
    label: "Idle threshold",
    help: "Tokens from which on an idle conversation is compacted",
  }),
  idleTimeoutSeconds: setting(Type.Integer({ minimum: 1 }), 300, {
    label: "Idle time",
    help: "Seconds of silence before an idle compaction",
  }),
  handoffSaveToDisk: setting(Type.Boolean(), false, {
    label: "Keep handoffs",
    help: "Write the handoff document to a file beside the new session too",
  }),
});

export type CompactionSettings = Values<typeof compactionArea>;
