/** The model that requests go to, and its key. Switched here and nowhere else. */

import type { FetchLike, Signer } from "@omp/ai";
import type { Model, ThinkingLevel } from "@omp/ai/schema";
import type { Vault } from "../vault/vault.ts";
import { selectorOf } from "./match.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { promotionTargets } from "./promotion.ts";
import type { Proofs } from "./proofs.ts";
import { clampThinking } from "./thinking.ts";

/** What a request needs to know about its model. */
export interface CurrentModel {
  readonly model: Model;
  readonly apiKey: string | undefined;
  /** Made to fit the model. */
  readonly thinking: ThinkingLevel;
  /** Proves who is asking where there is no key. */
  readonly sign: Signer | undefined;
  /** What answers in place of the plain network. */
  readonly fetch: FetchLike | undefined;
}

export interface ActiveModelDeps {
  readonly registry: ModelRegistry;
  readonly vault: Vault;
  readonly proofs: Proofs;
  /** What was asked for, whatever the model can do. */
  readonly thinking: ThinkingLevel;
}

export class ActiveModel {
  readonly #deps: ActiveModelDeps;
  /** Models whose window was too small for this conversation. */
  readonly #outgrown = new Set<string>();
  #current: CurrentModel;
  /** What was asked for, whatever the model can do. */
  #thinking: ThinkingLevel;

  private constructor(deps: ActiveModelDeps, current: CurrentModel) {
    this.#deps = deps;
    this.#current = current;
    this.#thinking = deps.thinking;
  }

  static async create(
    { model, apiKey }: Pick<CurrentModel, "model" | "apiKey">,
    deps: ActiveModelDeps,
  ): Promise<ActiveModel> {
    return new ActiveModel(deps, await currentOf(model, apiKey, deps.thinking, deps));
  }

  get current(): CurrentModel {
    return this.#current;
  }

  /** `provider/id` */
  get selector(): string {
    return selectorOf(this.#current.model);
  }

  /** What was asked for, which a later model may be able to do. */
  get thinking(): ThinkingLevel {
    return this.#thinking;
  }

  set thinking(level: ThinkingLevel) {
    this.#thinking = level;
    this.#current = { ...this.#current, thinking: clampThinking(this.#current.model, level) };
  }

  /** Switches to a model with a larger window that there is a key for. @returns whether there is one */
  async promote(): Promise<boolean> {
    this.#outgrown.add(this.selector);
    for (const model of promotionTargets(this.#current.model, await this.#relatives())) {
      if (!this.#outgrown.has(selectorOf(model)) && (await this.switchTo(model))) return true;
    }
    return false;
  }

  /** @returns false where there is no key */
  async switchTo(model: Model): Promise<boolean> {
    const callable = await callableModel(model, this.#thinking, this.#deps);
    if (!callable) return false;
    this.#current = callable;
    return true;
  }

  /** The models of the same provider, and of the one that the model names. */
  async #relatives(): Promise<readonly Model[]> {
    const { registry } = this.#deps;
    const { provider, contextPromotionTarget = "" } = this.#current.model;
    const named = contextPromotionTarget.slice(0, contextPromotionTarget.indexOf("/"));
    const others = registry.providers.filter(({ id }) => id === named && id !== provider);
    const lists = [provider, ...others.map(({ id }) => id)].map((id) => registry.modelsOf(id));
    return (await Promise.all(lists)).flat();
  }
}

/** A model with all that a request to it needs; undefined where there is no key. */
export async function callableModel(
  model: Model,
  thinking: ThinkingLevel,
  deps: Omit<ActiveModelDeps, "thinking">,
): Promise<CurrentModel | undefined> {
  const provider = deps.registry.providers.find(({ id }) => id === model.provider);
  const key = provider && (await deps.vault.lookUp(provider));
  if (!key || key.kind === "missing") return undefined;
  return currentOf(model, key.kind === "key" ? key.value : undefined, thinking, deps);
}

async function currentOf(
  model: Model,
  apiKey: string | undefined,
  thinking: ThinkingLevel,
  { registry, proofs }: Omit<ActiveModelDeps, "thinking">,
): Promise<CurrentModel> {
  const provider = registry.providers.find(({ id }) => id === model.provider);
  return {
    model,
    apiKey,
    thinking: clampThinking(model, thinking),
    sign: provider && proofs.signerOf(provider),
    fetch: provider && (await proofs.fetchOf(provider)),
  };
}
