/** Ways to prove who asks, for those who build a turn. What they need is loaded with the first request. */

import type { AwsPorts } from "./auth/aws-ports.ts";
import { hasWayIntoBedrock, resolveBedrockRegion } from "./auth/bedrock-place.ts";
import { isGatewayOn } from "./providers/gateway.ts";
import type { Environment, Provider } from "./providers/provider.ts";
import type { FetchLike, Signer } from "./transport/http.ts";

/** The doors to the world that finding credentials needs. */
export type SignerPorts = Omit<AwsPorts, "region">;

/** Whether requests without a key are worth trying: the environment names credentials to sign them with. */
export function canSign({ signature, project }: Provider, env: Environment): boolean {
  const isNamed = (names: readonly string[] = []) => names.some((name) => env[name]);
  if (signature === undefined) return false;
  if (signature === "aws") return hasWayIntoBedrock(env);
  return isNamed(project?.nameEnv) && isNamed(project?.locationEnv);
}

/** Make it once for a provider: it keeps the credentials it finds until they expire. */
export function signerFor(provider: Provider, ports: SignerPorts): Signer | undefined {
  const { signature } = provider;
  if (signature === undefined) return undefined;
  let made: Promise<Signer> | undefined;
  return async (request, signal) => {
    made ??= signature === "aws" ? bedrockSigner(ports) : vertexSigner(provider, ports);
    return (await made)(request, signal);
  };
}

async function bedrockSigner(ports: SignerPorts): Promise<Signer> {
  const { createBedrockSigner } = await import("./auth/bedrock-signer.ts");
  const { proxied } = await import("./transport/proxy.ts");
  const { environment, fetch } = ports;
  const region = resolveBedrockRegion(environment);
  return createBedrockSigner({ ...ports, fetch: proxied(fetch, environment) ?? fetch, region });
}

async function vertexSigner({ project }: Provider, ports: SignerPorts): Promise<Signer> {
  const { createVertexSigner } = await import("./auth/vertex-signer.ts");
  return createVertexSigner(ports, project ?? { nameEnv: [], locationEnv: [] });
}

/** The network of AWS by way of the person's proxy; undefined for everybody else, and without one. */
export async function proxyFetch(
  { signature }: Provider,
  { environment, fetch }: Pick<SignerPorts, "environment" | "fetch">,
): Promise<FetchLike | undefined> {
  if (signature !== "aws") return undefined;
  return (await import("./transport/proxy.ts")).proxied(fetch, environment);
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
