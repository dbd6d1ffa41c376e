/** Signs the requests of Vertex AI, for those who have no key but the credentials of Google Cloud. */

import { ProviderError } from "../schema/fault.ts";
import type { Signer } from "../transport/http.ts";
import { createGoogleAdc, type AdcPorts } from "./google-adc.ts";

/** The variables that would have named the place, for whoever has to set them. */
export interface PlaceVariables {
  readonly nameEnv: readonly string[];
  readonly locationEnv: readonly string[];
}

export function createVertexSigner(ports: AdcPorts, variables: PlaceVariables): Signer {
  const accessToken = createGoogleAdc(ports);
  return async ({ url }, signal) => {
    if (!/\/projects\/[^/]+\/locations\/[^/]+\//.test(url)) throw noPlace(ports, variables);
    return { authorization: `Bearer ${await accessToken(signal)}` };
  };
}

function noPlace(
  { environment }: AdcPorts,
  { nameEnv, locationEnv }: PlaceVariables,
): ProviderError {
  const isUnset = (names: readonly string[]) => !names.some((name) => environment[name]);
  const missing = [
    ...(isUnset(nameEnv) ? [`a project (${nameEnv.join(", ")})`] : []),
    ...(isUnset(locationEnv) ? [`a location (${locationEnv.join(", ")})`] : []),
  ];
  const what = missing.join(" and ") || "a base URL with project and location";
  return new ProviderError(
    { kind: "auth", reason: "missing" },
    `Vertex AI needs ${what}, or a key in GOOGLE_CLOUD_API_KEY`,
  );
}
