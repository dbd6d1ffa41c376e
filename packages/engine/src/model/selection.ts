/** Which model answers: the flag, else the session's, else the first of the scope, else the settings', else one with a key. */

import type { Model, ThinkingLevel } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import type { Vault } from "../vault/vault.ts";
import { selectorOf } from "./match.ts";
import type { ModelChoice, ResolveDeps } from "./resolve.ts";
import { thinkingLevelOf } from "./thinking.ts";

export interface SelectionDeps extends ResolveDeps {
  /** What `--model` says. */
  readonly wanted: string | undefined;
  /** What `--provider` says. */
  readonly wantedProvider?: string | undefined;
  /** `--models`, or the setting `enabledModels`: the models a person goes through. */
  readonly scope: readonly string[];
  /** What the resumed session used last. */
  readonly remembered: {
    readonly model?: string | undefined;
    readonly thinking?: string | null | undefined;
  };
  readonly thinking: {
    /** What `--thinking` says. */
    readonly wanted: ThinkingLevel | undefined;
    readonly default: ThinkingLevel;
  };
  readonly vault: Vault;
}

export interface Selection {
  readonly model: Model;
  /** What was asked for; `clampThinking` makes it fit a model. */
  readonly thinking: ThinkingLevel;
  readonly apiKey: string | undefined;
  /** For the person: what could not be had. */
  readonly warnings: readonly string[];
}

export async function selectModel(deps: SelectionDeps): Promise<Selection> {
  const said: Warning[] = [];
  const choice = await choose(deps, (warning) => said.push(warning));
  const { model } = choice;
  const warnings = said.map((warning) => warning(selectorOf(model)));
  deps.vault.giveFlagKeyTo(model.provider);
  const apiKey = await deps.vault.keyFor(providerOf(model, deps));
  return { model, thinking: thinkingFor(choice, deps), apiKey, warnings };
}

/** Told when it is known which model was chosen. */
type Warning = (chosen: string) => string;
type Warn = (warning: Warning) => void;

async function choose(deps: SelectionDeps, warn: Warn): Promise<ModelChoice> {
  const wanted = wantedSelector(deps);
  if (wanted !== undefined) return resolveModel(wanted, deps);
  if (deps.wantedProvider !== undefined) return defaultOf(deps.wantedProvider, deps);
  return (
    (await rememberedModel(deps, warn)) ??
    (await firstOfScope(deps, warn)) ??
    (await savedDefault(deps)) ??
    (await knownDefault(deps)) ??
    (await firstAvailable(deps))
  );
}

/** `--provider openai --model x` is `openai/x`, unless the model says it already. */
function wantedSelector({ wanted, wantedProvider }: SelectionDeps): string | undefined {
  if (wanted === undefined || wantedProvider === undefined) return wanted;
  return wanted.startsWith(`${wantedProvider}/`) ? wanted : `${wantedProvider}/${wanted}`;
}

/** A session goes on with its model; one that is gone or has lost its key must not lock the session. */
async function rememberedModel(deps: SelectionDeps, warn: Warn): Promise<ModelChoice | undefined> {
  const { model: selector } = deps.remembered;
  if (selector === undefined) return undefined;
  try {
    const choice = await resolveModel(selector, deps);
    if (await deps.vault.hasKeyFor(providerOf(choice.model, deps))) return choice;
    warn((chosen) => `The session's model ${selector} has no key now; ${chosen} goes on with it.`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(
      (chosen) =>
        `The session's model ${selector} is not known any more; ${chosen} goes on with it.`,
    );
  }
  return undefined;
}

async function firstOfScope(deps: SelectionDeps, warn: Warn): Promise<ModelChoice | undefined> {
  if (deps.scope.length === 0) return undefined;
  const { resolveScope } = await import("./resolve.ts");
  const scope = await resolveScope(deps.scope, deps);
  for (const pattern of scope.unmatched) warn(() => `No model with a key matches "${pattern}".`);
  return scope.choices[0];
}

async function savedDefault(deps: SelectionDeps): Promise<ModelChoice | undefined> {
  const selector = deps.roles["default"];
  return selector === undefined ? undefined : resolveModel(selector, deps);
}

/** Providers with a key come in their order; none but the first one's models are loaded. */
async function knownDefault(deps: SelectionDeps): Promise<ModelChoice | undefined> {
  const { registry, vault } = deps;
  for (const provider of registry.providers) {
    const id = provider.defaultModel ?? provider.models[0]?.id;
    if (id === undefined || !(await vault.hasOwnKey(provider))) continue;
    const model = await registry.modelNamed(provider, id);
    if (model) return { model };
  }
  return undefined;
}

const MAX_NAMED = 8;

async function firstAvailable({ registry }: SelectionDeps): Promise<ModelChoice> {
  const model = (await registry.available())[0];
  if (model) return { model };
  const names = registry.providers.flatMap((provider) => provider.keyEnv);
  const shown = names.slice(0, MAX_NAMED).join(", ") + (names.length > MAX_NAMED ? ", ..." : "");
  throw new UserError(
    "no-model",
    `No model is available. Set an API key (${shown}) or pass --api-key with --model. ` +
      `To look around without a key, run: omp demo`,
  );
}

async function defaultOf(providerId: string, deps: SelectionDeps): Promise<ModelChoice> {
  const provider = deps.registry.providers.find(({ id }) => id === providerId);
  if (!provider) {
    const known = deps.registry.providers.map(({ id }) => id).join(", ");
    throw new UserError("usage", `unknown provider: ${providerId}. Known: ${known}`);
  }
  const models = await deps.registry.modelsOf(providerId);
  const id = provider.defaultModel ?? provider.models[0]?.id;
  const model = models.find((known) => known.id === id) ?? models[0];
  if (model) return { model };
  throw new UserError("no-model", `${provider.name} lists no models; name one with --model.`);
}

function providerOf({ provider }: Model, { registry }: ResolveDeps) {
  return registry.providers.find(({ id }) => id === provider)!;
}

/** The flag, then what the selector or the resumed session says, then the setting. */
function thinkingFor({ thinking }: ModelChoice, deps: SelectionDeps): ThinkingLevel {
  const { remembered } = deps;
  const before = remembered.thinking === null ? "off" : thinkingLevelOf(remembered.thinking);
  return deps.thinking.wanted ?? thinking ?? before ?? deps.thinking.default;
}

/** A start without a name needs none of this. */
async function resolveModel(selector: string, deps: ResolveDeps): Promise<ModelChoice> {
  return (await import("./resolve.ts")).resolveModel(selector, deps);
}
