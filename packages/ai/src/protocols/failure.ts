/** What went wrong, said once: statuses, error types and texts become a fault. */

import { ProviderError, type ProviderFault } from "../schema/fault.ts";
import { isOverflowText, isQuotaText } from "./overflow.ts";
import { retryAfterMs } from "./retry-after.ts";

/** An answer that is not a stream. */
export interface FailedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Milliseconds since 1970, for hints given as a date. */
  readonly now: number;
}

/** The error object that Anthropic, OpenAI and those who copy them send, in a body or in the stream. */
export interface WireError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

export function responseFailure({ status, headers, text, now }: FailedResponse): ProviderError {
  const error = wireErrorOf(text);
  const message = stringOf(error?.message) ?? (excerpt(text) || "no explanation");
  const type = stringOf(error?.type);
  const waitMs = retryAfterMs(headers, message, now);
  const fault = faultOf({ status, types: typesOf(error), message, waitMs });
  const isKnownType = type !== undefined && type !== "error";
  return failure(fault, `${status}${isKnownType ? ` ${type}` : ""}: ${message}`, waitMs, status);
}

/** An error that came in the middle of a stream which had begun well. */
export function streamFailure(error: WireError): ProviderError {
  const message = stringOf(error.message) ?? "no explanation";
  const type = stringOf(error.type);
  const status = httpStatusOf(error.code);
  const fault = faultOf({ status, types: typesOf(error), message, waitMs: undefined });
  return failure(fault, type ? `${type}: ${message}` : message, undefined, status);
}

/** Somebody answered, but not in the protocol that was agreed. */
export function malformed(message: string, cause?: unknown): ProviderError {
  return new ProviderError({ kind: "malformed" }, message, undefined, { cause });
}

/** The answer stopped in the middle. */
export function cutOff(): ProviderError {
  const message = "The connection was closed before the answer was complete";
  return new ProviderError({ kind: "network" }, message);
}

/** The prompt filled the window and left no room for a word. */
export function noRoom(): ProviderError {
  const message = "The prompt fills the model's context window: nothing was answered";
  return new ProviderError({ kind: "context-overflow" }, message);
}

export function refused(reason: string): ProviderError {
  const message = `The provider refused to answer (${reason})`;
  return new ProviderError({ kind: "refused" }, message);
}

/** A line for a person: markup and line breaks gone, and never long. */
export function excerpt(text: string, limit = 300): string {
  const line = text
    .slice(0, 20 * limit)
    .replace(/<(style|script|head)\b.*?<\/\1>/gis, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}

interface Symptoms {
  readonly status: number | undefined;
  /** The most telling one first. */
  readonly types: readonly string[];
  readonly message: string;
  readonly waitMs: number | undefined;
}

function faultOf({ status, types, message, waitMs }: Symptoms): ProviderFault {
  const kind = kindOf(status, types, message);
  const wait = waitMs === undefined ? {} : { retryAfterMs: waitMs };
  switch (kind) {
    case "auth":
      return { kind, reason: "denied" };
    case "rate-limit": {
      const isQuota = isQuotaFault(status, types, message);
      return { kind, ...wait, ...(isQuota && { isQuota }) };
    }
    case "overloaded":
      return { kind, ...wait };
    case "context-overflow":
    case "invalid-request":
    case "refused":
    case "network":
    case "malformed":
      return { kind };
  }
}

/** What an answer can tell of. */
type AnsweredKind = Exclude<ProviderFault["kind"], "budget">;

/** The status decides where it is clear; a long prompt hides behind many of them. */
function kindOf(
  status: number | undefined,
  types: readonly string[],
  message: string,
): AnsweredKind {
  if (status === 429 || status === 402) return "rate-limit";
  if (status === 401 || status === 403) return "auth";
  const byType = types.flatMap((type) => KIND_BY_TYPE[type] ?? [])[0];
  const isOverflow = byType === "context-overflow" || status === 413;
  if (isOverflow || (byType !== "rate-limit" && isOverflowText(message))) return "context-overflow";
  if (status === undefined) return byType ?? "overloaded";
  if (status >= 500) return "overloaded";
  if (status === 408) return "network";
  if (status >= 400) return byType === "refused" ? "refused" : "invalid-request";
  return status < 300 && byType ? byType : "malformed";
}

/** What is used up is the account's, and not its pace: waiting a little does not help. */
function isQuotaFault(
  status: number | undefined,
  types: readonly string[],
  message: string,
): boolean {
  return status === 402 || types.some((type) => QUOTA_TYPES.has(type)) || isQuotaText(message);
}

const QUOTA_TYPES: ReadonlySet<string> = new Set([
  "base_resp_1008",
  "billing_error",
  "insufficient_quota",
  "usage_limit_reached",
  "usage_not_included",
]);

const KIND_BY_TYPE: Readonly<Record<string, AnsweredKind>> = {
  api_error: "overloaded",
  authentication_error: "auth",
  // MiniMax has numbers of its own.
  base_resp_1002: "rate-limit",
  base_resp_1004: "auth",
  base_resp_1008: "rate-limit",
  base_resp_1026: "refused",
  base_resp_1027: "refused",
  base_resp_1039: "rate-limit",
  base_resp_2013: "invalid-request",
  base_resp_2049: "auth",
  billing_error: "rate-limit",
  content_filter: "refused",
  content_policy_violation: "refused",
  context_length_exceeded: "context-overflow",
  exceed_context_size_error: "context-overflow",
  insufficient_quota: "rate-limit",
  invalid_api_key: "auth",
  invalid_prompt: "invalid-request",
  invalid_request_error: "invalid-request",
  not_found_error: "invalid-request",
  overloaded_error: "overloaded",
  permission_error: "auth",
  rate_limit_error: "rate-limit",
  rate_limit_exceeded: "rate-limit",
  request_too_large: "context-overflow",
  server_error: "overloaded",
  timeout_error: "overloaded",
  too_many_requests: "rate-limit",
  unauthorized: "auth",
  usage_limit_reached: "rate-limit",
  usage_not_included: "rate-limit",
};

function failure(
  fault: ProviderFault,
  message: string,
  waitMs: number | undefined,
  status: number | undefined,
): ProviderError {
  const hint = waitMs === undefined ? "" : ` (retry after ${Math.ceil(waitMs / 100) / 10} s)`;
  return new ProviderError(fault, message + hint, status);
}

/** `{error: {...}}`, `{error: "text"}` and `{message: "text"}` are all in use. */
function wireErrorOf(text: string): WireError | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof body !== "object" || body === null) return undefined;
  const error = "error" in body ? body.error : body;
  if (typeof error === "string") return { message: error };
  return typeof error === "object" && error !== null ? error : undefined;
}

function typesOf(error: WireError | undefined): string[] {
  return [error?.code, error?.type].filter((type) => typeof type === "string");
}

function httpStatusOf(code: unknown): number | undefined {
  const status = Number(code ?? Number.NaN);
  return status >= 400 && status <= 599 ? status : undefined;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
