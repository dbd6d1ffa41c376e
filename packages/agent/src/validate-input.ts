/** Checks what a model sent for a tool against the tool's schema, and repairs what is unmistakable. */

import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { coerce } from "./coerce.ts";
import { ToolFailure } from "./tool.ts";

const MAX_COMPLAINTS = 5;

/** The input as the tool may rely on it. Throws a ToolFailure that tells the model what to correct. */
export function validateInput(toolName: string, schema: TSchema, input: unknown): unknown {
  if (Value.Check(schema, input)) return input;
  const repaired = coerce(schema, input);
  if (Value.Check(schema, repaired)) return repaired;
  const complaints = Value.Errors(schema, repaired)
    .slice(0, MAX_COMPLAINTS)
    .map((error) => `- ${error.instancePath || "input"}: ${error.message}`);
  throw new ToolFailure(`Invalid arguments for ${toolName}:\n${complaints.join("\n")}`);
}
