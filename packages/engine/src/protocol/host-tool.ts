/** How tools run that live in the program that drives us. */

import type { ToolOutput } from "@omp/agent";

export interface HostToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
  /** What there is so far. */
  update(partial: ToolOutput): void;
}

/** The front end runs the tools it brought by `set_host_tools`. */
export interface HostToolPort {
  /** @throws ToolFailure when the tool says that it failed */
  call(call: HostToolCall): Promise<ToolOutput>;
}
