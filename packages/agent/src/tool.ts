/** What a tool is: a name, a schema and a prompt for the model, and a run that asks only for the hosts it uses. */

import type { ImageBlock, TextBlock } from "@omp/ai/schema";
import type { Static, TSchema } from "typebox";

/** What a call can do at worst: look, change files of the workspace, or run code. */
export type Tier = "read" | "write" | "exec";

/** Shared tools of one answer run side by side; an exclusive one runs alone, in its place in the order. */
export type Concurrency = "shared" | "exclusive";

export interface ToolOutput<Details = unknown> {
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** For front ends and exports; the model does not see it. */
  readonly details?: Details;
  /** Nothing was found: nobody needs it later, so a compaction may blank it. */
  readonly useless?: true;
}

/** One call in progress. */
export interface ToolCall {
  readonly id: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Tells front ends how far the call is. Cheap; may be called often. */
  report(partial: ToolOutput): void;
}

export type ToolRun<Input, Needs> = (
  input: Input,
  call: ToolCall,
  hosts: Needs,
) => Promise<ToolOutput>;

/** What describes a tool is static; what runs it is loaded on the first call. */
export interface Tool<Hosts> {
  readonly name: string;
  readonly label: string;
  readonly prompt: string;
  readonly input: TSchema;
  readonly tier: Tier;
  readonly concurrency: Concurrency;
  /** Other names that models call it by. Not told to them. */
  readonly aliases?: readonly string[];
  /** What models also send, in the words of the schema. Runs before the input is checked. */
  accept?(input: unknown): unknown;
  load(): Promise<ToolRun<unknown, Hosts>>;
}

/** Hosts is given once per house: `const defineTool = toolDefiner<Hosts>()`. */
export function toolDefiner<Hosts>() {
  return <Input extends TSchema, Need extends keyof Hosts = never>(tool: {
    readonly name: string;
    readonly label: string;
    readonly prompt: string;
    readonly input: Input;
    readonly tier: Tier;
    readonly concurrency: Concurrency;
    readonly aliases?: readonly string[];
    accept?(input: unknown): unknown;
    load(): Promise<ToolRun<Static<Input>, Pick<Hosts, Need>>>;
  }): Tool<Hosts> => ({
    ...tool,
    // The input has passed `tool.input` before a run sees it, so it is of its static type.
    load: () => tool.load() as Promise<ToolRun<unknown, Hosts>>,
  });
}

/** Said to the model as a failed tool result, so that it can correct itself. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  constructor(
    message: string,
    readonly details?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function textOutput<Details>(text: string, details?: Details): ToolOutput<Details> {
  const content = [{ type: "text", text }] as const;
  return details === undefined ? { content } : { content, details };
}
