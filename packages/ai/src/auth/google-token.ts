/** One request for an access token, to a token endpoint or the metadata server. */

import type { Clock } from "@omp/std";
import { ProviderError } from "../schema/fault.ts";
import { hostOf, type FetchLike } from "../transport/http.ts";

export interface Token {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface TokenPorts {
  readonly fetch: FetchLike;
  readonly clock: Clock;
}

const PATIENCE_MS = 30_000;
/** On a machine without a metadata server nobody answers at its address. */
const METADATA_PATIENCE_MS = 3_000;

/** With a form it is an exchange, without one a question to the metadata server. */
export async function requestToken(
  { fetch, clock }: TokenPorts,
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<Token> {
  const patience = new AbortController();
  const callOff = clock.after(form ? PATIENCE_MS : METADATA_PATIENCE_MS, () => patience.abort());
  try {
    const response = await fetch(url, { ...requestOf(form), signal: patience.signal });
    return await tokenIn(response, url, clock.now());
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw unreachable(url, form === undefined, error);
  } finally {
    callOff();
  }
}

function requestOf(form: Readonly<Record<string, string>> | undefined): BunFetchRequestInit {
  const redirect = "manual";
  if (!form) return { headers: { "metadata-flavor": "Google" }, redirect };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return { method: "POST", headers, body: new URLSearchParams(form).toString(), redirect };
}

interface WireToken {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

async function tokenIn(response: Response, url: string, now: number): Promise<Token> {
  const answer = await fieldsIn(response);
  const { access_token: value, expires_in: seconds } = answer;
  if (response.ok && typeof value === "string" && value !== "") {
    return { value, expiresAt: now + (typeof seconds === "number" ? seconds : 0) * 1000 };
  }
  const words = [answer.error, answer.error_description].filter((word) => typeof word === "string");
  const reason = words.join(": ") || `status ${response.status}`;
  const isPassing = response.status === 429 || response.status >= 500;
  throw new ProviderError(
    isPassing ? { kind: "overloaded" } : { kind: "auth", reason: "denied" },
    `${hostOf(url)} gave no access token (${reason})`,
    response.status,
  );
}

/** Empty for an answer that is no JSON object; the status says the rest. */
async function fieldsIn(response: Response): Promise<WireToken> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function unreachable(url: string, isMetadata: boolean, cause: unknown): ProviderError {
  if (!isMetadata) {
    const message = `Could not reach ${hostOf(url)} for an access token`;
    return new ProviderError({ kind: "network" }, message, undefined, { cause });
  }
  return new ProviderError(
    { kind: "auth", reason: "missing" },
    "No Google credentials were found. Set GOOGLE_CLOUD_API_KEY, name a file in " +
      "GOOGLE_APPLICATION_CREDENTIALS, or run: gcloud auth application-default login",
    undefined,
    { cause },
  );
}
