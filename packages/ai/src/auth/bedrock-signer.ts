/** Signs the requests of Bedrock, for those who have no key but credentials of AWS. */

import type { Signer } from "../transport/http.ts";
import { createAwsCredentials } from "./aws-credentials.ts";
import type { AwsPorts } from "./aws-ports.ts";
import { sigV4Headers } from "./aws-sigv4.ts";

export function createBedrockSigner(ports: AwsPorts): Signer {
  const credentials = createAwsCredentials(ports);
  return async ({ url, body }, signal) => {
    const region = regionOf(url) ?? ports.region;
    const place = { region, service: "bedrock", now: ports.clock.now() };
    const headers = { "content-type": "application/json" };
    return sigV4Headers({ url, headers, body }, await credentials(signal), place);
  };
}

/** A model may be in another region than the rest; its host says so. */
function regionOf(url: string): string | undefined {
  return /^https:\/\/bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com/.exec(url)?.[1];
}
