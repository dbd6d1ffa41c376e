/** What models.yml may say: the shapes after checking. */

import type { DiscoveryType, ProtocolId } from "@omp/ai";
import type { Compat, Model, Prices } from "@omp/ai/schema";
import type { ModelProblem } from "./model-registry.ts";

export interface ModelsConfig {
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  /** `provider/id` to the official id it is a variant of. */
  readonly overrides: ReadonlyMap<string, string>;
  /** `provider/id` of models that belong to no group. */
  readonly exclude: ReadonlySet<string>;
  readonly problems: readonly ModelProblem[];
}

export interface ProviderConfig {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly api?: ProtocolId;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authHeader?: boolean;
  readonly auth?: "apiKey" | "none" | "oauth";
  readonly disableStrictTools?: boolean;
  readonly discovery?: { readonly type: DiscoveryType };
  readonly modelOverrides?: Readonly<Record<string, ModelOverride>>;
  readonly models?: readonly ModelConfig[];
  readonly compat?: Compat;
  readonly transport?: "pi-native";
}

/** What may be changed of a model that is known already. */
export type ModelOverride = Partial<
  Pick<
    Model,
    | "name"
    | "reasoning"
    | "input"
    | "premiumMultiplier"
    | "contextWindow"
    | "maxTokens"
    | "headers"
    | "compat"
    | "contextPromotionTarget"
  >
> & {
  readonly thinking?: Partial<NonNullable<Model["thinking"]>>;
  readonly cost?: Partial<Prices>;
};

export type ModelConfig = ModelOverride & { readonly id: string; readonly api?: ProtocolId };

export const NO_CONFIG: ModelsConfig = {
  providers: new Map(),
  overrides: new Map(),
  exclude: new Set(),
  problems: [],
};
