/** Requests for credentials, and credentials as AWS's own services and helpers write them. */

import { ProviderError } from "../schema/fault.ts";
import { hostOf } from "../transport/http.ts";
import type { AwsCredentials, AwsPorts } from "./aws-ports.ts";

export interface AwsAnswer {
  readonly status: number;
  readonly text: string;
}

const PATIENCE_MS = 30_000;

/** @throws ProviderError when nobody answers in time */
export async function ask(
  { fetch, clock }: Pick<AwsPorts, "fetch" | "clock">,
  url: string,
  init: BunFetchRequestInit = {},
  patienceMs = PATIENCE_MS,
): Promise<AwsAnswer> {
  const patience = new AbortController();
  const callOff = clock.after(patienceMs, () => patience.abort());
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: patience.signal });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const message = `Could not reach ${hostOf(url)} for AWS credentials`;
    throw new ProviderError({ kind: "network" }, message, undefined, { cause: error });
  } finally {
    callOff();
  }
}

export function refusedBy(who: string, { status }: AwsAnswer, advice = ""): ProviderError {
  const isPassing = status === 429 || status >= 500;
  return new ProviderError(
    isPassing ? { kind: "overloaded" } : { kind: "auth", reason: "denied" },
    `${who} gave no AWS credentials (status ${status})${advice}`,
    status,
  );
}

/** Containers, instances and helper programs write the same fields, with two names for the token. */
export function credentialsIn(text: string, who: string): AwsCredentials {
  const fields = jsonObject(text) ?? {};
  const { AccessKeyId, SecretAccessKey, SessionToken, Token = SessionToken, Expiration } = fields;
  if (typeof AccessKeyId !== "string" || typeof SecretAccessKey !== "string") {
    throw new ProviderError(
      { kind: "auth", reason: "denied" },
      `${who} answered with something that is not AWS credentials`,
    );
  }
  return credentialsOf(AccessKeyId, SecretAccessKey, Token, Expiration);
}

export function credentialsOf(
  accessKeyId: string,
  secretAccessKey: string,
  token: unknown,
  expiration: unknown,
): AwsCredentials {
  const expiresAt = typeof expiration === "string" ? Date.parse(expiration) : Number(expiration);
  return {
    accessKeyId,
    secretAccessKey,
    ...(typeof token === "string" && token !== "" && { sessionToken: token }),
    ...(expiresAt > 0 && { expiresAt }),
  };
}

export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
