/** One tool call: validate, ask the gate, run, and turn whatever happens into a result the model can read. */

import type { ToolCallBlock, ToolResultMessage } from "@omp/ai/schema";
import { boundedText, lazy, log, messageOf, type Clock } from "@omp/std";
import type { AgentEvent } from "./event.ts";
import type { ToolGate } from "./ports.ts";
import { textOutput, ToolFailure, type Tool, type ToolOutput } from "./tool.ts";

/** Checking arguments takes more code than the rest of the loop; the first call loads it. */
const loadValidation = lazy(() => import("./validate-input.ts"));

/** No result may be larger than this, whatever the tool thinks: a context window is finite. */
const MAX_RESULT_BYTES = 256 * 1024;

export interface ToolRunDeps<Hosts> {
  readonly tools: ReadonlyMap<string, Tool<Hosts>>;
  readonly gate: ToolGate;
  /** Asked for with each call: what tools work with may be built by the first one. */
  hosts(): Promise<Hosts>;
  readonly cwd: string;
  readonly clock: Clock;
  emit(event: AgentEvent): void | Promise<void>;
}

/** Runs the call and announces its start and end. Never throws: a failure is a result. */
export async function runToolCall<Hosts>(
  block: ToolCallBlock,
  deps: ToolRunDeps<Hosts>,
  signal: AbortSignal,
): Promise<ToolResultMessage> {
  const call = { toolCallId: block.id, toolName: block.name };
  await deps.emit({ type: "tool_execution_start", ...call, args: block.arguments });
  const { output, isError } = await attempt(block, deps, signal);
  await deps.emit({ type: "tool_execution_end", ...call, result: output, isError });
  return {
    role: "toolResult",
    ...call,
    content: output.content,
    ...(output.details === undefined ? {} : { details: output.details }),
    isError,
    ...(output.useless && { useless: true as const }),
    timestamp: deps.clock.now(),
  };
}

/** The result of a call that was never started. */
export function skippedResult(
  block: ToolCallBlock,
  because: string,
  clock: Clock,
): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: block.id,
    toolName: block.name,
    content: textOutput(`Not run: ${because}`).content,
    isError: true,
    timestamp: clock.now(),
  };
}

async function attempt<Hosts>(
  block: ToolCallBlock,
  deps: ToolRunDeps<Hosts>,
  signal: AbortSignal,
): Promise<{ output: ToolOutput; isError: boolean }> {
  try {
    return { output: bounded(await run(block, deps, signal)), isError: false };
  } catch (error) {
    if (error instanceof ToolFailure) {
      return { output: bounded(textOutput(error.message, error.details)), isError: true };
    }
    if (signal.aborted) return { output: textOutput("Aborted."), isError: true };
    log.error("tool-failed", {
      tool: block.name,
      error: error instanceof Error ? error.stack : String(error),
    });
    const text = `The tool ${block.name} failed unexpectedly: ${messageOf(error)}`;
    return { output: bounded(textOutput(text)), isError: true };
  }
}

async function run<Hosts>(
  block: ToolCallBlock,
  deps: ToolRunDeps<Hosts>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const tool = deps.tools.get(block.name);
  if (!tool) {
    const known = [...deps.tools.keys()].join(", ") || "none";
    throw new ToolFailure(`There is no tool named ${block.name}. Available: ${known}.`);
  }
  if (block.malformedArguments !== undefined) {
    throw new ToolFailure(
      `The arguments of ${block.name} are not valid JSON, so the call did not run. They end with: ` +
        block.malformedArguments.slice(-80),
    );
  }
  const { validateInput } = await loadValidation();
  const given = tool.accept?.(block.arguments) ?? block.arguments;
  const input = validateInput(tool.name, tool.input, given);
  const decision = await deps.gate.decide({
    toolCallId: block.id,
    toolName: tool.name,
    tier: tool.tier,
    input,
    signal,
  });
  if (!decision.allowed) throw new ToolFailure(decision.reason);
  const [execute, hosts] = await Promise.all([tool.load(), deps.hosts()]);
  return execute(
    input,
    {
      id: block.id,
      cwd: deps.cwd,
      signal,
      report: (partialResult) =>
        void deps.emit({
          type: "tool_execution_update",
          toolCallId: block.id,
          toolName: block.name,
          args: block.arguments,
          partialResult,
        }),
    },
    hosts,
  );
}

function bounded(output: ToolOutput): ToolOutput {
  const content = output.content.map((block) =>
    block.type === "text" && block.text.length > MAX_RESULT_BYTES / 4
      ? {
          ...block,
          text: boundedText(block.text, { maxBytes: MAX_RESULT_BYTES, keep: "both" }).text,
        }
      : block,
  );
  return { ...output, content };
}
