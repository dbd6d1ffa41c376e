/** What Google refuses about a `generateContent` request, in the words it uses. */

import { field, isObject, listOf } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";
import type { WireRequest } from "../wires/wire.ts";
import { contentFaults, signatureFaults, turnFaults, unknownIn } from "./google-contents.ts";
import { firstRefusal, refusal, type Rule } from "./rule.ts";

const FIELDS = new Set(
  `contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent
   labels serviceTier`.split(/\s+/),
);

const CONFIG_FIELDS = new Set(
  `stopSequences responseMimeType responseSchema responseJsonSchema responseModalities
   candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty
   responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig
   mediaResolution`.split(/\s+/),
);

/** The part of OpenAPI that `parameters` may use. */
const SCHEMA_FIELDS = new Set(
  `type format title description nullable enum maxItems minItems properties required
   minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default
   items minimum maximum`.split(/\s+/),
);

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const MODES = ["AUTO", "ANY", "NONE", "VALIDATED"];
const LEVELS = ["MINIMAL", "LOW", "MEDIUM", "HIGH"];

export function modelIn({ path }: Pick<WireRequest, "path">): string {
  return /\/([^/]+):\w+$/.exec(path)?.[1] ?? "";
}

/** From the third generation on a call must come back with the signature it was made with. */
export function wantsSignatures(model: string): boolean {
  return /^gemini-(?:[3-9]|.*-latest$)/.test(model);
}

export function refuseGoogle(request: WireRequest): Refusal | undefined {
  const { headers, body, query } = request;
  const hasToken = /^Bearer ./.test(headers["authorization"] ?? "");
  if (!headers["x-goog-api-key"] && !hasToken) {
    return {
      status: 403,
      message:
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    };
  }
  if (new URLSearchParams(query).get("alt") !== "sse") {
    return refusal("The scripted model only streams events: add alt=sse");
  }
  if (!isObject(body)) return refusal("Invalid JSON payload received.");
  const model = modelIn(request);
  const rules = [...RULES, thinkingRule(model), penaltyRule(model), signatureRule(model)];
  return firstRefusal(rules, body);
}

const RULES: readonly Rule[] = [
  function* topLevel(body) {
    yield* unknownIn(body, FIELDS);
    if (listOf(body.contents).length === 0) {
      yield "* GenerateContentRequest.contents: contents is not specified";
    }
    if (body.systemInstruction !== undefined) {
      yield* contentFaults(body.systemInstruction, "system_instruction");
    }
    yield* unknownIn(body.generationConfig, CONFIG_FIELDS, "generation_config");
  },

  function* contents(body) {
    for (const [i, content] of listOf(body.contents).entries()) {
      yield* contentFaults(content, `contents[${i}]`);
      if (!["user", "model"].includes(String(field(content, "role")))) {
        yield "Please use a valid role: user, model.";
      }
    }
    yield* turnFaults(listOf(body.contents));
  },

  function* tools(body) {
    for (const [i, tool] of listOf(body.tools).entries()) {
      for (const [j, declared] of listOf(field(tool, "functionDeclarations")).entries()) {
        const at = `tools[${i}].function_declarations[${j}]`;
        if (!NAME.test(String(field(declared, "name")))) {
          yield `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore.`;
        }
        yield* schemaFaults(field(declared, "parameters"), `${at}.parameters`);
      }
    }
    const calling = field(body.toolConfig, "functionCallingConfig");
    if (calling !== undefined && !MODES.includes(String(field(calling, "mode")))) {
      yield `Invalid value at 'tool_config.function_calling_config.mode': "${String(field(calling, "mode"))}"`;
    }
    if (field(calling, "allowedFunctionNames") && field(calling, "mode") !== "ANY") {
      yield "Allowed function names can only be set when function calling mode is ANY.";
    }
  },
];

function penaltyRule(model: string): Rule {
  return function* penalty(body) {
    if (field(body.generationConfig, "presencePenalty") && !/gemini-(1\.5|2\.0)/.test(model)) {
      yield "Penalty is not enabled for this model";
    }
  };
}

function thinkingRule(model: string): Rule {
  return function* thinking(body) {
    const config = field(body.generationConfig, "thinkingConfig");
    const { thinkingBudget: budget, thinkingLevel: level } = isObject(config) ? config : {};
    if (budget !== undefined && level !== undefined) {
      yield "You can only set only one of thinking budget and thinking level.";
    }
    if (level !== undefined && !LEVELS.includes(String(level))) {
      yield `Invalid value at 'generation_config.thinking_config.thinking_level': "${String(level)}"`;
    }
    if (level !== undefined && /^gemini-[12]/.test(model)) {
      yield "Thinking level is not supported for this model.";
    }
    if (budget === 0 && model.includes("pro")) {
      yield "Budget 0 is invalid. This model only works in thinking mode.";
    }
    const most = model.includes("pro") ? 32_768 : 24_576;
    if (typeof budget === "number" && budget > most) {
      yield `The thinking budget ${budget} is invalid. Please choose a value between 0 and ${most}.`;
    }
  };
}

function signatureRule(model: string): Rule {
  return function* signatures(body) {
    if (wantsSignatures(model)) yield* signatureFaults(listOf(body.contents));
  };
}

function* schemaFaults(schema: unknown, at: string): Generator<string> {
  if (!isObject(schema)) return;
  yield* unknownIn(schema, SCHEMA_FIELDS, at);
  if (schema.type !== undefined && typeof schema.type !== "string") {
    yield `Invalid value at '${at}.type': Proto field is not repeating, cannot start list.`;
  }
  yield* schemaFaults(schema.items, `${at}.items`);
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, value] of Object.entries(properties)) {
    yield* schemaFaults(value, `${at}.properties[${name}]`);
  }
  for (const [i, option] of listOf(schema.anyOf).entries()) {
    yield* schemaFaults(option, `${at}.any_of[${i}]`);
  }
}
