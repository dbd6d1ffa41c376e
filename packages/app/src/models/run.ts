/** `omp models`: which models there are, as text or as one JSON document. */

import { openModels, type OpenModels } from "@omp/engine/boot";
import { nearest, sanitize, UserError } from "@omp/std";
import { resolve } from "node:path";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";
import { listText, rowOf, type ListedModel } from "./list.ts";

export const runModels: CommandRun = async (invocation, surroundings) => {
  const { cwd, home, environment, startedIn } = surroundings;
  const { messages, options, settings } = invocation;
  const isJson = options["json"] !== undefined;
  const wish = wishOf(messages, options["all"] !== undefined);
  await using open = await openModels({
    cwd,
    home,
    environment,
    settings,
    configFiles: invocation.configFiles.map((path) => resolve(startedIn, path)),
  });
  if (wish.isRefresh) {
    note("Asking servers which models they have...");
    await open.registry.refresh();
  }
  const models = await wishedModels(open, wish);
  for (const { place, message } of open.problems) note(`warning: ${place}: ${message}`);
  if (models.length === 0 && !isJson) note(nothingFound(wish, open));
  const output = createOutput(() => {});
  const text = isJson ? `${JSON.stringify(models.map(rowOf), null, 2)}\n` : listText(models);
  const isTerminal = (await streamKind(STDOUT)) === "terminal";
  output.write(isTerminal ? sanitize(text) : text);
  await output.flush();
  return 0;
};

interface Wish {
  readonly isRefresh: boolean;
  /** Also models that cannot be called. */
  readonly isAll: boolean;
  readonly words: readonly string[];
  readonly provider?: string;
}

function wishOf([verb, ...words]: readonly string[], isAll: boolean): Wish {
  const refuse = (word: string | undefined) => {
    if (word !== undefined)
      throw new UserError("misuse", `omp models does not take "${word}" here`);
  };
  switch (verb) {
    case "find":
      if (words.length === 0) throw new UserError("misuse", "omp models find needs a text to find");
      return { isRefresh: false, isAll: true, words };
    case undefined:
    case "ls":
    case "refresh":
      refuse(words[0]);
      return { isRefresh: verb === "refresh", isAll, words: [] };
    default:
      refuse(words[0]);
      return { isRefresh: false, isAll: true, words: [], provider: verb };
  }
}

async function wishedModels(
  { registry }: OpenModels,
  { isAll, words, provider }: Wish,
): Promise<readonly ListedModel[]> {
  const models =
    provider === undefined
      ? await (isAll ? registry.all() : registry.available())
      : await registry.modelsOf(provider);
  const callable = new Map(
    await Promise.all(
      registry.providers.map(async (one) => [one.id, await registry.isUsable(one)] as const),
    ),
  );
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/));
  return models
    .filter(({ provider: owner, id, name }) => {
      const text = `${owner}/${id} ${name}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map((model) => {
      const canonical = registry.canonicalOf(model);
      const isOfficial = canonical !== undefined && registry.isOfficial(canonical);
      return { model, canonical, isOfficial, isAvailable: callable.get(model.provider) === true };
    });
}

function nothingFound({ provider, words }: Wish, { registry }: OpenModels): string {
  const ids = registry.providers.map(({ id }) => id);
  if (words.length > 0) return `No model has "${words.join(" ")}" in its name.`;
  if (provider === undefined) {
    return "No model can be used yet: set a provider's key. omp models --all lists everything that is known.";
  }
  if (ids.includes(provider)) return `No models of ${provider} are known.`;
  const guess = nearest(provider, ids);
  const hint = guess === undefined ? `Known: ${ids.join(", ")}.` : `Did you mean ${guess}?`;
  return `There is no provider "${provider}". ${hint}`;
}
