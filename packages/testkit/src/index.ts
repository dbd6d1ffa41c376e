/** Doubles and stages for tests: real sockets, real folders, real processes, real terminals. Dev only. */

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
export type { WireId } from "./wires/wire.ts";
