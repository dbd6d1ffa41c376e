/** One model turn: request in, stream of events out. The vocabulary is in `./schema`. */

export { catalogOf, catalogProviders, officialIds } from "./catalog/index.ts";
export type { AwsPorts } from "./auth/aws-ports.ts";
export { hasWayIntoBedrock, resolveBedrockRegion } from "./auth/bedrock-place.ts";
export type { ProtocolId } from "./protocols/registry.ts";
export { isGatewayOn, keyEnvOf } from "./providers/gateway.ts";
export {
  getEnvApiKey,
  isKeyless,
  knownFacts,
  mergeCompat,
  modelFrom,
  modelOf,
  UNKNOWN,
  type DiscoveryType,
  type Environment,
  type ModelFacts,
  type Provider,
} from "./providers/provider.ts";
export { providers } from "./providers/registry.ts";
export { bedrockSigner, gatewayFetch } from "./proofs.ts";
export { stream } from "./stream.ts";
export type { StreamOptions } from "./stream-options.ts";
export type { FetchLike, Signer } from "./transport/http.ts";
export type { Timeouts } from "./transport/silence.ts";
