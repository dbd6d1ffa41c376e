/** What a model is, and what one turn asks of it. */

import type { Compat } from "./compat.ts";
import type { Message } from "./message.ts";
import type { Sampling } from "./sampling.ts";
import type { ThinkingBudgets, ThinkingLevel, ThinkingSupport } from "./thinking.ts";
import type { Prices } from "./usage.ts";

export interface Model {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  /** The id on the wire, where it differs. */
  readonly wireId?: string;
  /** Id of the wire protocol, e.g. `anthropic-messages`. */
  readonly api: string;
  readonly baseUrl: string;
  /** The version of its API, for hosts that have it in the address. */
  readonly apiVersion?: string;
  /** The server asks for no key. */
  readonly isKeyless?: boolean;
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly reasoning: boolean;
  /** Absent: what the protocol assumes for a reasoning model. */
  readonly thinking?: ThinkingSupport;
  readonly input: readonly ("text" | "image")[];
  readonly prices: Prices;
  /** Sent with each request; the values are resolved already. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly compat?: Compat;
  /** No tool is sent as strict. */
  readonly disableStrictTools?: boolean;
  /** The key also goes into an `Authorization: Bearer` header, whatever the protocol does with it. */
  readonly authHeader?: boolean;
  /** The key goes into this header as `Bearer`, and not where the protocol puts it. */
  readonly keyHeader?: string;
  /** How long its server may be silent in the middle of an answer, where the usual time is too short. */
  readonly idleTimeoutMs?: number;
  /** `provider/id`, or an id of the same provider, to switch to when the context grows too large. */
  readonly contextPromotionTarget?: string;
  readonly premiumMultiplier?: number;
}

/** A tool as the model sees it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, as the tool declared it. Protocols rewrite it for their vendor. */
  readonly parameters: object;
  /** The vendor shall hold the model to the schema. */
  readonly strict?: boolean;
}

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export interface ModelRequest {
  readonly model: Model;
  /** In blocks where parts of it change at different times: the first is the same in most sessions. */
  readonly systemPrompt: string | readonly string[];
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Absent is "off" for models that can be told so, and the vendor's default for the others. */
  readonly thinking?: ThinkingLevel;
  readonly thinkingBudgets?: ThinkingBudgets;
  /** Whether the model may think between its tool calls, where it has to be asked for. Absent is yes. */
  readonly interleavedThinking?: boolean;
  /** Absent is "auto". */
  readonly toolChoice?: ToolChoice;
  /** The model's own limit unless given. */
  readonly maxTokens?: number;
  /** Absent, and what is absent in it: the vendor's own way. */
  readonly sampling?: Sampling;
  /** The same for all turns of a session: providers keep caches by it. */
  readonly sessionId?: string;
  /** How long providers shall keep the prompt in their caches. Absent is "short". */
  readonly cacheRetention?: "short" | "long";
}
