/** The AWS credential chain: the first place that has credentials, until they expire. */

import { ProviderError } from "../schema/fault.ts";
import { unlessAborted } from "../transport/http.ts";
import { containerCredentials, instanceCredentials } from "./aws-metadata.ts";
import type { AwsCredentials, AwsPorts } from "./aws-ports.ts";
import { profileCredentials } from "./aws-profile.ts";
import { webIdentityCredentials } from "./aws-sts.ts";

/** Credentials are replaced when less than this is left of them: a request may wait before it is looked at. */
const SPARE_MS = 5 * 60_000;

/** @returns credentials that are good for a while yet; it throws a ProviderError when there are none */
export function createAwsCredentials(
  ports: AwsPorts,
): (signal: AbortSignal) => Promise<AwsCredentials> {
  let held: AwsCredentials | undefined;
  let underWay: Promise<AwsCredentials> | undefined;
  return async (signal) => {
    const isGood = (held?.expiresAt ?? Infinity) - SPARE_MS > ports.clock.now();
    if (held && isGood) return held;
    // Turns that start together share one search. It outlives an abort of the one that began it.
    underWay ??= findCredentials(ports).finally(() => (underWay = undefined));
    held = await unlessAborted(underWay, signal);
    return held;
  };
}

const SOURCES = [
  environmentCredentials,
  webIdentityCredentials,
  profileCredentials,
  containerCredentials,
  instanceCredentials,
];

async function findCredentials(ports: AwsPorts): Promise<AwsCredentials> {
  if (ports.environment["AWS_BEDROCK_SKIP_AUTH"] === "1") return DUMMY;
  for (const source of SOURCES) {
    const found = await source(ports);
    if (found) return found;
  }
  throw new ProviderError(
    { kind: "auth", reason: "missing" },
    "No AWS credentials were found. Set AWS_BEARER_TOKEN_BEDROCK, AWS_PROFILE, or " +
      "AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY",
  );
}

/** For a proxy that signs itself. */
const DUMMY: AwsCredentials = { accessKeyId: "skipped", secretAccessKey: "skipped" };

async function environmentCredentials({
  environment,
}: AwsPorts): Promise<AwsCredentials | undefined> {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
