/** The loop: turns and tool calls until the model rests. */

export type { AgentEvent, AssistantMessageEvent } from "./event.ts";
export type {
  Artifacts,
  GateDecision,
  GateRequest,
  Pending,
  Resources,
  SecretVeil,
  ToolGate,
  Trust,
  TrustItem,
  UiNotice,
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
export { runLoop, type LoopDeps, type LoopEnd } from "./loop.ts";
