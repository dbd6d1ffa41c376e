/** What Anthropic refuses about thinking: each generation of its models takes other forms of it. */

import { field, isObject, type JsonObject } from "../json.ts";

const MIN_BUDGET = 1024;
const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

interface Generation {
  /** The values of `thinking.type`. */
  readonly types: readonly string[];
  readonly efforts: readonly string[];
  /** It thinks though it was not asked to. */
  readonly thinksByDefault?: boolean;
  readonly canBeForced?: boolean;
}

const BUDGET: Generation = { types: ["enabled", "disabled"], efforts: [], canBeForced: true };
const ALWAYS: Generation = { types: ["adaptive"], efforts: EFFORTS, thinksByDefault: true };
const GENERATIONS: readonly (readonly [RegExp, Generation])[] = [
  [/fable|mythos|opus-5-5/, ALWAYS],
  [/sonnet-5-5/, { ...ALWAYS, types: ["adaptive", "between_tools"] }],
  [
    /(opus|sonnet)-5(?!-5)|haiku-5-5/,
    { ...ALWAYS, types: ["adaptive", "disabled"], canBeForced: true },
  ],
  [/opus-4-[78]/, { types: ["adaptive", "disabled"], efforts: EFFORTS, canBeForced: true }],
  [
    /(opus|sonnet)-4-6/,
    {
      types: ["enabled", "adaptive", "disabled"],
      efforts: ["low", "medium", "high", "max"],
      canBeForced: true,
    },
  ],
];

export function* thinkingFaults(body: JsonObject): Generator<string> {
  const model = String(body.model);
  const generation = GENERATIONS.find(([name]) => name.test(model))?.[1] ?? BUDGET;
  const type = field(body.thinking, "type");
  if (type !== undefined && !generation.types.includes(String(type))) {
    yield `"thinking.type.${String(type)}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`;
  }
  const effort = field(body.output_config, "effort");
  if (effort !== undefined && !generation.efforts.includes(String(effort))) {
    yield `This model does not support effort level '${String(effort)}'.`;
  }
  if (type === "between_tools" && (effort === "xhigh" || effort === "max")) {
    yield "thinking.type.between_tools is not supported at this effort level.";
  }
  yield* forcedFaults(body, generation, type);
  if (type === "enabled") yield* budgetFaults(body);
}

function* forcedFaults(
  { tool_choice: choice }: JsonObject,
  { canBeForced, thinksByDefault }: Generation,
  type: unknown,
): Generator<string> {
  const isForced = isObject(choice) && (choice.type === "any" || choice.type === "tool");
  if (!isForced) return;
  if (!canBeForced) yield "tool_choice: forced tool use is not supported for this model.";
  if (type === "enabled" || type === "adaptive" || (thinksByDefault && type === undefined)) {
    yield "Thinking may not be enabled when tool_choice forces tool use.";
  }
}

function* budgetFaults(body: JsonObject): Generator<string> {
  const budget = Number(field(body.thinking, "budget_tokens"));
  if (!(budget >= MIN_BUDGET)) {
    yield `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}`;
  }
  if (budget >= Number(body.max_tokens)) {
    yield "`max_tokens` must be greater than `thinking.budget_tokens`.";
  }
}
