/** The loop: turns and tool calls until the model rests. */

export type { AgentEvent, AssistantMessageEvent } from "./event.ts";
export type {
  Artifacts,
  ChangeJournal,
  EditHunk,
  GateDecision,
  GateRequest,
  HunkDecision,
  HunkGate,
  JournaledChange,
  Pending,
  Reminders,
  Resource,
  Resources,
  SecretVeil,
  SyntaxCheck,
  ToolGate,
  Trust,
  TrustItem,
  UiNotice,
  UiPart,
  UiPort,
  UiReply,
  UiRequest,
} from "./ports.ts";
export {
  ToolFailure,
  textOutput,
  toolDefiner,
  type Concurrency,
  type Tier,
  type Tool,
  type ToolCall,
  type ToolOutput,
  type ToolRun,
} from "./tool.ts";
export { isVisible, runLoop, type LoopDeps, type LoopEnd } from "./loop.ts";
export {
  MessageQueue,
  type Inbox,
  type InterruptMode,
  type QueueMode,
  type QueueModes,
  type QueueName,
} from "./queue.ts";
