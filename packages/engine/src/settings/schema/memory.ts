/** Compaction, and memory across sessions. */

import { plannedArea, type SettingArea } from "@omp/std";
import { amount, choice, count, secret, text, texts, toggle } from "./kinds.ts";

const compaction = plannedArea("compaction", {
  methodOrder: texts(
    [],
    "Ways in order",
    "Ways to try one after another; empty leaves it to `compaction.strategy`",
  ),
  supersedeReads: toggle(
    false,
    "Blank older reads",
    "Blank what was read of a file once it is read again",
  ),
  dropUseless: toggle(true, "Blank useless results", "Blank results that say nothing any more"),
});

const snapcompact = plannedArea("snapcompact", {
  systemPrompt: choice(
    ["none", "agents-md", "all"],
    "none",
    "Prompt as images",
    "Which part of the system prompt is sent as images",
  ),
  toolResults: toggle(false, "Results as images", "Send old tool results as images"),
});

const memory = plannedArea("memory", {
  backend: choice(
    ["off", "local", "hindsight", "mnemopi"],
    "off",
    "Memory",
    "What remembers across sessions",
  ),
});

const memories = plannedArea("memories", {
  enabled: toggle(false, "Memory (older)", "Older switch for `memory.backend: local`"),
  maxRolloutsPerStartup: count(64, "Sessions at a start", "How many sessions are read at a start"),
  maxRolloutAgeDays: count(30, "Age of sessions", "Days after which a session is no longer read"),
  minRolloutIdleHours: count(12, "Rest of sessions", "Hours that a session must have rested"),
  summaryInjectionTokenLimit: count(
    5000,
    "Memory in the prompt",
    "Tokens of memory in the system prompt",
  ),
  threadScanLimit: count(300, "Sessions to look at", "How many sessions are looked at"),
  maxRawMemoriesForGlobal: count(200, "Memories to merge", "How many memories are merged at once"),
  stage1Concurrency: count(8, "Sessions at once", "How many sessions are read at the same time", {
    minimum: 1,
  }),
  stage1LeaseSeconds: count(
    120,
    "Lease of a session",
    "Seconds that one process has a session for itself",
  ),
  stage1RetryDelaySeconds: count(
    120,
    "Retry of a session",
    "Seconds until a failed session is tried again",
  ),
  phase2LeaseSeconds: count(
    180,
    "Lease of the merge",
    "Seconds that one process has the merge for itself",
  ),
  phase2RetryDelaySeconds: count(
    180,
    "Retry of the merge",
    "Seconds until a failed merge is tried again",
  ),
  phase2HeartbeatSeconds: count(30, "Heartbeat of the merge", "Seconds between signs of life"),
  rolloutPayloadPercent: amount(
    0.7,
    "Share for a session",
    "Share of the window that a session may fill",
    {
      minimum: 0,
      maximum: 1,
    },
  ),
  phase1InputTokenLimit: count(4000, "Tokens of a session", "Tokens of a session that are read"),
  fallbackTokenLimit: count(
    16_000,
    "Window when unknown",
    "Tokens where the model's window is not known",
  ),
});

const mnemopi = plannedArea("mnemopi", {
  dbPath: text("", "Database", "Path of the database; empty keeps it in the agent's folder", {
    fallbackEnv: "MNEMOPI_DB_PATH",
  }),
  bank: text("", "Bank", "Name of the bank; empty takes the project's"),
  scoping: choice(
    ["global", "per-project", "per-project-tagged"],
    "per-project",
    "Reach of memories",
    "Whether projects share what is remembered",
  ),
  autoRecall: toggle(true, "Recall", "Recall memories at the first turn"),
  autoRetain: toggle(true, "Retain", "Store what was said"),
  noEmbeddings: toggle(false, "Text search only", "Search memories by words, without embeddings"),
  embeddingModel: text("", "Embedding model", "Model for embeddings"),
  embeddingApiUrl: text("", "Embedding server", "URL of a server for embeddings"),
  embeddingApiKey: secret("Embedding key", "Key of that server"),
  llmMode: choice(
    ["none", "smol", "remote"],
    "smol",
    "Model for facts",
    "Which model finds what to remember",
  ),
  llmBaseUrl: text("", "Server for facts", "URL of the remote model"),
  llmApiKey: secret("Key for facts", "Key of the remote model"),
  llmModel: text("", "Remote model", "Name of the remote model"),
  retainEveryNTurns: count(4, "Store every", "Prompts between two stores", { minimum: 1 }),
  recallLimit: count(8, "Memories to recall", "How many memories are recalled"),
  recallContextTurns: count(3, "Turns to search with", "Earlier turns that the search takes in"),
  recallMaxQueryChars: count(4000, "Longest search", "Characters that the search takes"),
  injectionTokenLimit: count(5000, "Memory in the prompt", "Tokens of recalled memories"),
  debug: toggle(false, "Log memory", "Write what the memory does to the log"),
});

const hindsight = plannedArea("hindsight", {
  apiUrl: text("http://localhost:8888", "Server", "URL of the Hindsight server"),
  apiToken: secret("Token", "Key of the server"),
  bankId: text("", "Bank", "Id of the bank; empty makes one"),
  bankIdPrefix: text("", "Prefix of banks", "Beginning of the ids that are made"),
  scoping: choice(
    ["global", "per-project", "per-project-tagged"],
    "per-project-tagged",
    "Reach of memories",
    "Whether projects share what is remembered",
  ),
  autoRecall: toggle(true, "Recall", "Recall memories at the first turn"),
  autoRetain: toggle(true, "Retain", "Store what was said"),
  retainMode: choice(
    ["full-session", "last-turn"],
    "full-session",
    "What is stored",
    "The whole session, or its last turn",
  ),
  retainEveryNTurns: count(3, "Store every", "Prompts between two stores", { minimum: 1 }),
  retainOverlapTurns: count(2, "Overlap", "Turns that are stored again for context"),
  recallMaxTokens: count(1024, "Recalled tokens", "Tokens of recalled memories"),
});

export const memoryAreas: readonly SettingArea[] = [
  compaction,
  snapcompact,
  memory,
  memories,
  mnemopi,
  hindsight,
];
