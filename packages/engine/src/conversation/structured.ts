/** An answer that must satisfy a schema: the model gives it by calling a tool that ends the run. */

import { textOutput, ToolFailure, type Tool } from "@omp/agent";
import type { ToolChoice } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import { Value } from "typebox/value";
import { FINAL_ANSWER } from "./offered-tools.ts";
import prompt from "./prompts/final-answer.md" with { type: "text" };

const MAX_CORRECTIONS = 3;

const CALL_IT = `Give your final answer now: call the tool ${FINAL_ANSWER} with it. Text is not read.`;

type Schema = Readonly<Record<string, unknown>>;

/** Counts the tries of one prompt. */
export class StructuredAnswer {
  readonly tool: Tool<unknown>;
  readonly choice: ToolChoice = { name: FINAL_ANSWER };
  readonly reminder = CALL_IT;
  #text: string | undefined;
  #corrections = 0;

  /** @throws UserError where the schema is none */
  constructor(schema: Schema) {
    checkSchema(schema);
    const isWrapped = schema["type"] !== "object";
    this.tool = {
      name: FINAL_ANSWER,
      label: "Final answer",
      prompt,
      input: isWrapped ? wrapped(schema) : schema,
      tier: "read",
      concurrency: "exclusive",
      load: () => Promise.resolve((input) => this.#take(isWrapped ? unwrapped(input) : input)),
    };
  }

  /** The answer as JSON, as soon as there is one. */
  get text(): string | undefined {
    return this.#text;
  }

  get hasFinished(): boolean {
    return this.#text !== undefined || this.#corrections > MAX_CORRECTIONS;
  }

  /** The model rested, or called the tool with something else. @returns whether it may try again */
  correct(): boolean {
    this.#corrections++;
    return !this.hasFinished;
  }

  get failure(): string {
    return `The model gave no answer that satisfies the output schema, after ${MAX_CORRECTIONS} corrections`;
  }

  #take(answer: unknown) {
    if (this.#text !== undefined) throw new ToolFailure("The final answer was given already.");
    this.#text = JSON.stringify(answer);
    return Promise.resolve(textOutput("Accepted."));
  }
}

/** Vendors take the schema of an object only. */
function wrapped(schema: Schema): Schema {
  const { $defs, definitions, $schema: _, ...answer } = schema;
  return {
    type: "object",
    properties: { answer },
    required: ["answer"],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function unwrapped(input: unknown): unknown {
  return (input as { readonly answer?: unknown }).answer;
}

function checkSchema(schema: Schema): void {
  try {
    Value.Check(schema, {});
  } catch (error) {
    const message = "The output schema is not a JSON Schema that can be checked.";
    throw new UserError("bad-input", message, { cause: error });
  }
}
