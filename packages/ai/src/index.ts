/** One model turn: request in, stream of events out. The vocabulary is in `./schema`. */

export { catalogOf, catalogProviders, defaultFactsOf, officialIds } from "./catalog/index.ts";
export { compactHistory } from "./compact-history.ts";
export type { ProtocolId } from "./protocols/registry.ts";
export { keyEnvOf } from "./providers/gateway.ts";
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
export { canSign, gatewayFetch, proxyFetch, signerFor, type SignerPorts } from "./proofs.ts";
export { stream } from "./stream.ts";
export type { StreamOptions } from "./stream-options.ts";
export type { FetchLike, Signer } from "./transport/http.ts";
export type { Timeouts } from "./transport/silence.ts";
