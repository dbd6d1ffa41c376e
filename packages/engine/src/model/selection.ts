/** Which model answers: the flag, else the session's, else the settings', else the first one with a key. */

import type { Provider } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import type { Environment } from "../paths.ts";
import type { ModelSettings } from "../settings/schema/model.ts";
import type { Vault } from "../vault/vault.ts";
import { resolveModel } from "./resolve.ts";

export interface Selection {
  readonly model: Model;
  readonly provider: Provider;
  readonly apiKey: string | undefined;
}

export interface SelectionDeps {
  /** What `--model` says. */
  readonly wanted: string | undefined;
  /** What the resumed session used last. */
  readonly remembered: string | undefined;
  readonly settings: ModelSettings;
  readonly providers: readonly Provider[];
  readonly environment: Environment;
  readonly vault: Vault;
}

export function selectModel(deps: SelectionDeps): Selection {
  const { providers, vault, environment } = deps;
  const pattern = patternOf(deps);
  const model = resolveModel(pattern, providers, environment);
  const provider = providers.find(({ id }) => id === model.provider)!;
  return { model, provider, apiKey: vault.keyFor(provider) };
}

function patternOf({ wanted, remembered, settings, providers, vault }: SelectionDeps): string {
  // A role name such as `smol` stands for the model the settings give it.
  if (wanted !== undefined) return settings.modelRoles[wanted] ?? wanted;
  const chosen = remembered ?? settings.modelRoles["default"];
  if (chosen !== undefined) return chosen;
  const ready = providers.find(
    (provider) => provider.models.length > 0 && vault.hasKeyFor(provider),
  );
  const first = ready?.models[0];
  if (ready && first) return `${ready.id}/${first.id}`;
  const names = providers.flatMap((provider) => provider.keyEnv);
  throw new UserError(
    "no-model",
    `No model is available. Set an API key (${names.join(", ")}) or pass --api-key with --model. ` +
      `To look around without a key, run: omp demo`,
  );
}
