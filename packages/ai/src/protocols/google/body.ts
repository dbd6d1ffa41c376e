/** The body of a `streamGenerateContent` request, the same for the Gemini API and Vertex. */

import type { ModelRequest, ToolChoice } from "../../schema/model.ts";
import { toolParameters } from "../../tool-schema/index.ts";
import { samplingAs } from "../sampling.ts";
import { systemBlocks } from "../system-prompt.ts";
import { contentsOf } from "./contents.ts";
import { thinkingConfig } from "./thinking.ts";

export function googleBody(request: ModelRequest): object {
  const { model, messages, tools, toolChoice, maxTokens } = request;
  const functionDeclarations = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: toolParameters("google", tool).parameters,
  }));
  const calling = callingConfig(toolChoice);
  const thinking = thinkingConfig(request);
  const system = systemBlocks(request);
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    contents: contentsOf(messages, model),
    ...(tools.length > 0 && { tools: [{ functionDeclarations }] }),
    ...(tools.length > 0 && calling && { toolConfig: { functionCallingConfig: calling } }),
    generationConfig: {
      ...(!model.compat?.omitsMaxTokens && { maxOutputTokens: maxTokens ?? model.maxTokens }),
      ...samplingAs(TAKES_PENALTY.test(model.id) ? WITH_PENALTY : SAMPLING, request.sampling),
      ...(thinking && { thinkingConfig: thinking }),
    },
    ...model.compat?.extraBody,
  };
}

const SAMPLING = { temperature: "temperature", topP: "topP", topK: "topK" };
const WITH_PENALTY = { ...SAMPLING, presencePenalty: "presencePenalty" };
/** Later models refuse a penalty. */
const TAKES_PENALTY = /gemini-(1\.5|2\.0)/;

function callingConfig(choice: ToolChoice = "auto"): object | undefined {
  switch (choice) {
    case "auto":
      return undefined;
    case "none":
      return { mode: "NONE" };
    case "required":
      return { mode: "ANY" };
    default:
      return { mode: "ANY", allowedFunctionNames: [choice.name] };
  }
}
