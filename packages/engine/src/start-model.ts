/** The model a session starts with: what the command line, the session and the settings say, weighed. */

import type { ThinkingLevel } from "@omp/ai/schema";
import { ActiveModel } from "./model/active-model.ts";
import type { ModelRegistry } from "./model/model-registry.ts";
import type { Proofs } from "./model/proofs.ts";
import { rolesOf } from "./model/roles.ts";
import { selectModel } from "./model/selection.ts";
import type { Environment } from "./paths.ts";
import type { ModelSettings } from "./settings/schema/model.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";
import type { Vault } from "./vault/vault.ts";

/** What the command line says about models. */
export interface ModelWishes {
  /** A selector or a role. */
  readonly model?: string | undefined;
  /** Id of the provider of `model`, or whose default model to use. */
  readonly provider?: string | undefined;
  /** Patterns of the models to go through; the setting `enabledModels` when absent. */
  readonly models?: readonly string[] | undefined;
  /** Role to selector, above what the settings say. */
  readonly roles?: Readonly<Record<string, string>>;
  readonly thinking?: ThinkingLevel | undefined;
}

export interface StartModelDeps {
  readonly registry: ModelRegistry;
  readonly vault: Vault;
  readonly proofs: Proofs;
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  readonly settings: ModelSettings;
  readonly wishes: ModelWishes;
  /** What the resumed session used last. */
  readonly remembered: {
    readonly model?: string | undefined;
    readonly thinkingLevel?: string | null | undefined;
  };
  /** Hears what could not be had. */
  warn(text: string): void;
}

export async function startModel(deps: StartModelDeps): Promise<ActiveModel> {
  const { registry, vault, settings, wishes, remembered, environment } = deps;
  const selection = await selectModel({
    wanted: wishes.model,
    wantedProvider: wishes.provider,
    scope: wishes.models ?? valuesIn(deps.cwd, settings.enabledModels, deps.home),
    remembered: { model: remembered.model, thinking: remembered.thinkingLevel },
    thinking: { wanted: wishes.thinking, default: settings.defaultThinkingLevel },
    roles: rolesOf(settings.modelRoles, environment, wishes.roles ?? {}),
    registry,
    environment,
    vault,
  });
  for (const { place, message } of registry.problems) deps.warn(`${place}: ${message}`);
  for (const warning of selection.warnings) deps.warn(warning);
  const { proofs } = deps;
  return ActiveModel.create(selection, { registry, vault, proofs, thinking: selection.thinking });
}
