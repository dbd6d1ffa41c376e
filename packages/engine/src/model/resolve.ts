/** From what a person wrote to a model, and from a list of patterns to the models they mean. */

import { modelOf, type Provider } from "@omp/ai";
import type { Model, ThinkingLevel } from "@omp/ai/schema";
import { nearest, UserError } from "@omp/std";
import type { Environment } from "../paths.ts";
import { fuzzyMatches, globMatches, isGlob, selectorOf } from "./match.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { expandRole, type Roles } from "./roles.ts";
import { splitThinking } from "./thinking.ts";

export interface ModelChoice {
  readonly model: Model;
  /** What the selector says about it, if it does. */
  readonly thinking?: ThinkingLevel;
}

export interface ResolveDeps {
  readonly registry: ModelRegistry;
  readonly environment: Environment;
  readonly roles: Roles;
}

/**
 * A role, `provider/id`, an official id, an id, words of one, or a glob, in this order; any of them may end
 * in `:<thinking level>`. Only what is not `provider/id` loads the models of every provider.
 */
export async function resolveModel(text: string, deps: ResolveDeps): Promise<ModelChoice> {
  const { selector, thinking } = expandRole(text.trim(), deps.roles);
  const found = await resolveSelector(selector, deps);
  return thinking ? { ...found, thinking } : found;
}

async function resolveSelector(selector: string, deps: ResolveDeps): Promise<ModelChoice> {
  const { registry } = deps;
  const split = splitThinking(selector);
  // An id may end like a thinking level, so the whole text is tried before its parts.
  const readings = split.thinking ? [{ base: selector }, split] : [split];
  for (const { base, ...said } of readings) {
    const model = await pinned(base, deps);
    if (model) return { model, ...said };
  }
  for (const { base, ...said } of readings) {
    const model = (await registry.variantsOf(base))[0] ?? (await named(base, registry));
    if (model) return { model, ...said };
  }
  const { base, ...said } = split;
  const model = (await likely(base, registry)) ?? unlisted(base, deps);
  if (model) return { model, ...said };
  throw new UserError("no-model", unknownModel(base, await registry.all()));
}

/** `provider/id`, as listed; a dated id is a snapshot of the one without its date. */
async function pinned(selector: string, deps: ResolveDeps): Promise<Model | undefined> {
  const provider = providerIn(selector, deps.registry);
  if (!provider) return undefined;
  const wanted = selector.slice(provider.id.length + 1);
  const exact = await deps.registry.modelNamed(provider, wanted);
  if (exact) return exact;
  const models = await deps.registry.modelsOf(provider.id);
  // Where nothing is listed there is nothing to compare with.
  if (models.length === 0) return unlisted(selector, deps);
  const undated = wanted.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const known = undated === wanted ? undefined : models.find(({ id }) => id === undated);
  return known && { ...known, id: wanted };
}

async function named(id: string, registry: ModelRegistry): Promise<Model | undefined> {
  const models = (await registry.all()).filter((model) => model.id === id);
  return models.length < 2 ? models[0] : (await usableFirst(models, registry))[0];
}

async function likely(text: string, registry: ModelRegistry): Promise<Model | undefined> {
  const provider = providerIn(text, registry);
  // Words have no numbers. What has one is an id that the person means exactly.
  if (provider && !isGlob(text) && /\d/.test(text.slice(provider.id.length))) return undefined;
  const models = await (provider ? registry.modelsOf(provider.id) : registry.all());
  const fitting = isGlob(text) ? globMatches(text, models) : fuzzyMatches(text, models);
  return (await usableFirst(fitting, registry))[0];
}

/** Any id of a known provider may be asked for: vendors are quicker than lists. */
function unlisted(selector: string, { registry, environment }: ResolveDeps): Model | undefined {
  const provider = providerIn(selector, registry);
  if (!provider) return undefined;
  const id = selector.slice(provider.id.length + 1);
  return id !== "" && !isGlob(id) ? modelOf(provider, id, environment) : undefined;
}

function providerIn(selector: string, { providers }: ModelRegistry): Provider | undefined {
  const slash = selector.indexOf("/");
  return providers.find(({ id }) => id === selector.slice(0, slash));
}

async function usableFirst(
  models: readonly Model[],
  registry: ModelRegistry,
): Promise<readonly Model[]> {
  const usable = new Set((await registry.available()).map(selectorOf));
  const isUsable = (model: Model) => usable.has(selectorOf(model));
  return [...models.filter(isUsable), ...models.filter((model) => !isUsable(model))];
}

export interface Scope {
  /** Each model once, in the order of the patterns. */
  readonly choices: readonly ModelChoice[];
  /** Patterns that fit no model there is a key for. */
  readonly unmatched: readonly string[];
}

/** What `--models` and `enabledModels` mean: only models that can be called are in it. */
export async function resolveScope(patterns: readonly string[], deps: ResolveDeps): Promise<Scope> {
  const usable = await deps.registry.available();
  const choices = new Map<string, ModelChoice>();
  const unmatched: string[] = [];
  for (const pattern of patterns) {
    const { selector, thinking } = expandRole(pattern.trim(), deps.roles);
    const found = await choicesFor(selector, usable, deps.registry);
    if (found.length === 0) unmatched.push(pattern);
    for (const choice of found) {
      const key = selectorOf(choice.model);
      if (!choices.has(key)) choices.set(key, thinking ? { ...choice, thinking } : choice);
    }
  }
  return { choices: [...choices.values()], unmatched };
}

/** An official id means all its variants, `provider/id` one model; globs and words look at every model. */
async function choicesFor(
  selector: string,
  usable: readonly Model[],
  registry: ModelRegistry,
): Promise<readonly ModelChoice[]> {
  const split = splitThinking(selector);
  const readings = split.thinking ? [{ base: selector }, split] : [split];
  const isUsable = (model: Model) => usable.some((one) => selectorOf(one) === selectorOf(model));
  for (const { base, ...said } of readings) {
    const exact = usable.filter((model) => selectorOf(model) === base);
    const variants = (await registry.variantsOf(base)).filter(isUsable);
    const bare = usable.filter(({ id }) => id === base);
    const found = [exact, variants, bare].find((models) => models.length > 0);
    if (found) return found.map((model) => ({ model, ...said }));
  }
  const { base, ...said } = split;
  const fitting = isGlob(base) ? globMatches(base, usable) : fuzzyMatches(base, usable);
  return fitting.map((model) => ({ model, ...said }));
}

function unknownModel(text: string, models: readonly Model[]): string {
  const ids = models.flatMap((model) => [model.id, selectorOf(model)]);
  // A word of an id is enough to name a model, so one may have been mistyped.
  const guess =
    nearest(text, ids) ??
    nearest(
      text,
      ids.flatMap((id) => id.match(/[a-z]{4,}/g) ?? []),
    );
  const hint = guess ? ` Did you mean ${guess}?` : ` Known: ${listOf(models)}.`;
  return `No model matches "${text}".${hint}`;
}

const MAX_NAMED = 12;

function listOf(models: readonly Model[]): string {
  const shown = models.slice(0, MAX_NAMED).map(selectorOf).join(", ");
  return models.length > MAX_NAMED ? `${shown} and ${models.length - MAX_NAMED} more` : shown;
}
