/** What a model is, and what one turn asks of it. */

import type { Message } from "./message.ts";
import type { Prices } from "./usage.ts";

export interface Model {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  /** Id of the wire protocol, e.g. `anthropic-messages`. */
  readonly api: string;
  readonly baseUrl: string;
  /** The server asks for no key. */
  readonly isKeyless?: boolean;
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly reasoning: boolean;
  readonly input: readonly ("text" | "image")[];
  readonly prices: Prices;
}

/** A tool as the model sees it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: object;
}

export interface ModelRequest {
  readonly model: Model;
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
}
