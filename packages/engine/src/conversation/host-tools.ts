/** Tools that run in the program that drives us: checked as a whole, then offered like any other. */

import { ToolFailure, type Tool } from "@omp/agent";
import { UserError } from "@omp/std";
import type { HostToolSpec } from "../protocol/commands/tools.ts";
import type { HostToolPort } from "../protocol/host-tool.ts";
import { FINAL_ANSWER } from "./offered-tools.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @throws UserError that says which tool is wrong; then none of them counts */
export function hostTools(
  specs: readonly HostToolSpec[],
  taken: readonly string[],
  port: HostToolPort | undefined,
): readonly Tool<unknown>[] {
  const names = new Set([...taken, FINAL_ANSWER]);
  return specs.map((spec) => {
    const { name, label, description, parameters } = spec;
    if (!NAME.test(name)) throw refusal(name, "a name has 1 to 64 letters, digits, - and _");
    if (names.has(name)) throw refusal(name, "there is a tool of that name already");
    if (!isObjectSchema(parameters))
      throw refusal(name, "its parameters are no schema of an object");
    names.add(name);
    return {
      name,
      label: label ?? name,
      prompt: description ?? "",
      input: parameters,
      // Nobody here can look into it, so the worst is assumed, as for every undeclared tool.
      tier: "exec",
      concurrency: "exclusive",
      load: () =>
        Promise.resolve((input, { id, signal, report }) => {
          if (!port) throw new ToolFailure(`Nobody is there to run ${name}.`);
          const call = { toolCallId: id, toolName: name, arguments: input, signal, update: report };
          return untilAborted(port.call(call), signal);
        }),
    } satisfies Tool<unknown>;
  });
}

/** A program that does not answer to an abort must not keep the run from ending. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new ToolFailure("Aborted."));
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function isObjectSchema(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const { type, properties } = schema as Record<string, unknown>;
  const isRecord = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return (
    (type === undefined || type === "object") && (properties === undefined || isRecord(properties))
  );
}

function refusal(name: unknown, because: string): UserError {
  return new UserError("bad-input", `Host tool ${JSON.stringify(name)} was refused: ${because}.`);
}
