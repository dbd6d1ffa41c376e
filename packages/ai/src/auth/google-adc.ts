/** Google's application default credentials: from a file or the metadata server to an access token. */

import type { Clock } from "@omp/std";
import { ProviderError } from "../schema/fault.ts";
import type { FetchLike } from "../transport/http.ts";
import { credentialsIn, type AdcCredentials } from "./google-credentials-file.ts";
import { serviceAccountAssertion } from "./google-jwt.ts";
import { requestToken, type Token } from "./google-token.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface AdcPorts {
  readonly environment: Environment;
  /** Undefined when there is no such file. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly fetch: FetchLike;
  readonly clock: Clock;
}

/** An access token that is good for a while yet. @throws ProviderError */
export type AccessTokens = (signal: AbortSignal) => Promise<string>;

/** A token is replaced when less than this is left of it: a request may wait before it is looked at. */
const SPARE_MS = 5 * 60_000;

export function createGoogleAdc(ports: AdcPorts): AccessTokens {
  let held: Token | undefined;
  let underWay: Promise<Token> | undefined;
  // Turns that start together share one exchange; an abort of one of them does not end it for the others.
  const renewed = () =>
    (underWay ??= fetchToken(ports)
      .then((token) => (held = token))
      .finally(() => (underWay = undefined)));
  return async (signal) => {
    signal.throwIfAborted();
    const isGood = held !== undefined && held.expiresAt - SPARE_MS > ports.clock.now();
    const token = held && isGood ? held : await unlessAborted(renewed(), signal);
    return token.value;
  };
}

async function fetchToken(ports: AdcPorts): Promise<Token> {
  const credentials = await findCredentials(ports);
  switch (credentials.type) {
    case "service_account":
      return requestToken(ports, credentials.tokenUri, {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await serviceAccountAssertion(credentials, ports.clock.now()),
      });
    case "authorized_user":
      return requestToken(ports, credentials.tokenUri, {
        grant_type: "refresh_token",
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
        refresh_token: credentials.refreshToken,
      });
    case "metadata":
      return requestToken(ports, credentials.url);
  }
}

/** A file that is named must be there; the usual one may be; the metadata server is asked last. */
async function findCredentials({ environment, readFile }: AdcPorts): Promise<AdcCredentials> {
  const named = environment["GOOGLE_APPLICATION_CREDENTIALS"];
  if (named) {
    const text = await readFile(named);
    if (text !== undefined) return credentialsIn(text, named);
    throw new ProviderError(
      { kind: "auth", reason: "missing" },
      `GOOGLE_APPLICATION_CREDENTIALS names ${named}, and there is no such file`,
    );
  }
  const usual = usualFile(environment);
  const text = usual && (await readFile(usual));
  if (usual && text !== undefined) return credentialsIn(text, usual);
  const host = environment["GCE_METADATA_HOST"] || "169.254.169.254";
  return { type: "metadata", url: `http://${host}${METADATA_PATH}` };
}

const METADATA_PATH = "/computeMetadata/v1/instance/service-accounts/default/token";

/** Where `gcloud auth application-default login` leaves them. */
function usualFile(environment: Environment): string | undefined {
  const { CLOUDSDK_CONFIG: config, APPDATA: appData, HOME: home } = environment;
  const folder =
    config || (home ? `${home}/.config/gcloud` : undefined) || (appData && `${appData}/gcloud`);
  return folder && `${folder}/application_default_credentials.json`;
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
