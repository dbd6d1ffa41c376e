/** Doubles and stages for tests: real sockets, real folders, real processes, real terminals. Dev only. */

export { limitClock, manualClock, type LimitClock, type ManualClock } from "./clocks.ts";
export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts";
export type { Ending, RecordedRequest, Refusal } from "./recorded-request.ts";
export {
  callTool,
  fail,
  say,
  think,
  thinkHidden,
  turn,
  type Answer,
  type Block,
  type Failure,
  type FailureOptions,
  type Fault,
  type Play,
  type Stop,
  type Turn,
  type TurnSource,
} from "./turn.ts";
export type { WireId } from "./wire-id.ts";
export { workspace, type Workspace, type WorkspaceOptions } from "./workspace.ts";
export { runOmp, startOmp, type OmpOptions, type OmpProcess, type OmpResult } from "./omp.ts";
export { readJsonl, sessionFiles } from "./session-files.ts";
export { cleanEnvironment, type Variables } from "./environment.ts";
export {
  virtualTerminal,
  type VirtualTerminal,
  type VirtualTerminalOptions,
} from "./virtual-terminal.ts";
export { contractSuite, type ContractSubject } from "./contract-suite.ts";
export {
  runCampaign,
  sampleCampaign,
  type Campaign,
  type CampaignCall,
  type CampaignFailure,
  type CampaignResult,
  type CaseOutcome,
} from "./campaign.ts";
export {
  bytesIn,
  runTraced,
  type TracedCall,
  type TracedRun,
  type TraceOptions,
} from "./strace.ts";
