/** Ways to prove who asks, for those who build a turn. What they need is loaded with the first request. */

import type { AwsPorts } from "./auth/aws-ports.ts";
import { isGatewayOn } from "./providers/gateway.ts";
import type { Environment, Provider } from "./providers/provider.ts";
import type { FetchLike, Signer } from "./transport/http.ts";

/** Make it once: it keeps the credentials it finds until they expire. */
export function bedrockSigner(ports: AwsPorts): Signer {
  let made: Promise<Signer> | undefined;
  return async (request, signal) => {
    made ??= import("./auth/bedrock-signer.ts").then((module) => module.createBedrockSigner(ports));
    return (await made)(request, signal);
  };
}

export interface GatewayPorts {
  readonly environment: Environment;
  /** Undefined when there is no such file. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly fetch: FetchLike;
}

/** The network as a provider's gateway wants it; undefined where there is none, or it asks for nothing. */
export async function gatewayFetch(
  { gateway }: Provider,
  { environment, readFile, fetch }: GatewayPorts,
): Promise<FetchLike | undefined> {
  if (!gateway || !isGatewayOn(gateway, environment)) return undefined;
  const { gatewayTls, withTls } = await import("./auth/gateway-tls.ts");
  const tls = await gatewayTls(gateway.tls, environment, readFile);
  return tls && withTls(fetch, tls);
}
