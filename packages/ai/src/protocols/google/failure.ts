/** Errors in the form all Google APIs share: a code, a status word, a message and typed details. */

import { ProviderError } from "../../schema/fault.ts";
import { responseFailure, streamFailure, type FailedResponse } from "../failure.ts";

interface Detail {
  readonly "@type"?: string;
  readonly reason?: string;
  /** Seconds, as in `34.07s`. */
  readonly retryDelay?: string;
}
export interface GoogleError {
  readonly code?: number;
  readonly message?: string;
  readonly status?: string;
  readonly details?: readonly Detail[];
}

export function googleFailure(response: FailedResponse): ProviderError {
  const error = errorIn(response.text);
  if (!error) return responseFailure(response);
  const headers = new Headers(response.headers);
  const wait = retryDelayMs(error);
  if (wait !== undefined && !headers.has("retry-after")) headers.set("retry-after-ms", wait);
  const { message, status: type } = error;
  const text = JSON.stringify({ error: { message, type } });
  return keyRefusal(error, responseFailure({ ...response, headers, text }));
}

/** An error that takes the place of the rest of an answer. */
export function googleStreamFailure(error: GoogleError): ProviderError {
  const { code, message, status: type } = error;
  return keyRefusal(error, streamFailure({ code, message, type }));
}

/** A wrong key is status 400 here, like any other bad argument; only the reason tells it apart. */
function keyRefusal({ details }: GoogleError, failure: ProviderError): ProviderError {
  const isKey = detailsOf(details).some(({ reason }) => reason === "API_KEY_INVALID");
  if (!isKey) return failure;
  return new ProviderError({ kind: "auth", reason: "denied" }, failure.message, failure.status);
}

function retryDelayMs({ details }: GoogleError): string | undefined {
  const delay = detailsOf(details).find(({ retryDelay }) => typeof retryDelay === "string");
  const seconds = Number.parseFloat(delay?.retryDelay ?? "");
  return Number.isNaN(seconds) ? undefined : String(Math.ceil(seconds * 1000));
}

function detailsOf(details: GoogleError["details"]): readonly Detail[] {
  return Array.isArray(details) ? details.filter((detail) => detail) : [];
}

/** The error may come in a list: a stream that failed before its first element. */
function errorIn(text: string): GoogleError | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== "object" || first === null || !("error" in first)) return undefined;
  const { error } = first;
  return typeof error === "object" && error !== null ? error : undefined;
}
