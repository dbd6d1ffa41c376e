/** The tools of a Chat Completions request, and which of them must be used. */

import type { ModelRequest, ToolChoice, ToolSchema } from "../../schema/model.ts";
import { toolParameters } from "../../tool-schema/index.ts";
import type { ResolvedCompat } from "../compat.ts";
import { moonshotSchema } from "./moonshot-schema.ts";
import type { BodyFields } from "./thinking.ts";

export function toolFields(request: ModelRequest, compat: ResolvedCompat): BodyFields {
  const { tools, toolChoice, messages } = request;
  if (tools.length === 0) {
    const hasHistory = messages.some(({ role }) => role === "toolResult");
    return compat.requiresToolsWithToolHistory && hasHistory ? { tools: [] } : {};
  }
  const isSent = toolChoice !== undefined && compat.supportsToolChoice;
  return {
    tools: wireTools(request, compat),
    ...(isSent && { tool_choice: wireChoice(toolChoice, compat) }),
  };
}

function wireChoice(choice: ToolChoice, compat: ResolvedCompat): unknown {
  if (typeof choice === "string") return choice;
  if (!compat.supportsNamedToolChoice) return "required";
  return { type: "function", function: { name: choice.name } };
}

function wireTools({ model, tools }: ModelRequest, compat: ResolvedCompat): object[] {
  const mayBeStrict =
    compat.supportsStrictMode && compat.toolStrictMode !== "none" && !model.disableStrictTools;
  const wantsAll = compat.toolStrictMode === "all_strict";
  // One tool that cannot be strict makes a server refuse the others that are.
  const canAll =
    mayBeStrict &&
    wantsAll &&
    tools.every((tool) => tool.strict !== false && strictly(tool).strict);
  return tools.map((tool) => {
    const isStrict = mayBeStrict && (wantsAll ? canAll : tool.strict === true);
    const { parameters, strict } = isStrict ? strictly(tool) : toolParameters("openai", tool);
    return wireTool(tool, dialectOf(parameters, compat), strict);
  });
}

function strictly(tool: ToolSchema) {
  return toolParameters("openai", tool, { strict: true });
}

function dialectOf(parameters: object, compat: ResolvedCompat): object {
  return compat.schemaDialect === "moonshot" ? moonshotSchema(parameters) : parameters;
}

function wireTool({ name, description }: ToolSchema, parameters: object, strict: boolean): object {
  return {
    type: "function",
    function: { name, description, parameters, ...(strict && { strict: true }) },
  };
}
