/** What the rest of the engine may ask about models. Loading is lazy: a start that names its model loads one provider. */

import type { Provider } from "@omp/ai";
import type { Model } from "@omp/ai/schema";

/** Something in models.yml, or about a server, that was not used, and why. */
export interface ModelProblem {
  /** File with line and key, or the address. */
  readonly place: string;
  readonly message: string;
}

export interface ModelRegistry {
  /** Built-in, configured and implicit ones; disabled ones are left out. */
  readonly providers: readonly Provider[];
  /** The models of one provider: catalogue, models.yml, overrides, cached or discovered ones. */
  modelsOf(providerId: string): Promise<readonly Model[]>;
  /** One model of a provider. Where it is the default one and nobody has a say in it, no catalogue is loaded. */
  modelNamed(provider: Provider, id: string): Promise<Model | undefined>;
  /** Every loaded model, with or without a key for it. */
  all(): Promise<readonly Model[]>;
  /** Those that can be called: keyless, or there is a key. */
  available(): Promise<readonly Model[]>;
  /** The official id that this model is a variant of; its own id where there is none; undefined where excluded. */
  canonicalOf(model: Model): string | undefined;
  /** The variants of an official id, in the order they are to be tried. */
  variantsOf(canonicalId: string): Promise<readonly Model[]>;
  readonly problems: readonly ModelProblem[];
}
