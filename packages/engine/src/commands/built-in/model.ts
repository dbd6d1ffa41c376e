/** `/model`: which model answers. */

import type { Model } from "@omp/ai/schema";
import { nearest, UserError } from "@omp/std";
import { fuzzyMatches, globMatches, isGlob, selectorOf } from "../../model/match.ts";
import { splitThinking } from "../../model/thinking.ts";
import { done, type CommandPort, type SlashCommand } from "../slash-command.ts";

export const model: SlashCommand = {
  name: "model",
  description: "Choose the model; alone, show it and those there is a key for",
  argumentHint: "[model][:thinking]",
  async run(args, port) {
    const models = await port.dispatch({ type: "list_models" });
    const wanted = args.trim();
    if (wanted === "") return done(listText(models, port));
    const { chosen, level } = choose(wanted, models);
    const { provider, id: modelId } = chosen;
    await port.dispatch({ type: "set_model", provider, modelId });
    if (level) await port.dispatch({ type: "set_thinking_level", level });
    return done(`Model: ${selectorOf(chosen)}, thinking ${port.snapshot().thinkingLevel}`);
  },
};

function listText(models: readonly Model[], { snapshot }: CommandPort): string {
  const current = selectorOf(snapshot().model);
  const rows = models.map(selectorOf).map((name) => (name === current ? `* ${name}` : `  ${name}`));
  return [`Model: ${current}`, ...rows].join("\n");
}

/** Ids have colons of their own, so the whole text is tried first. */
function choose(wanted: string, models: readonly Model[]) {
  const whole = find(wanted, models);
  if (whole) return { chosen: whole, level: undefined };
  const { base, thinking } = splitThinking(wanted);
  const chosen = find(base, models);
  if (chosen) return { chosen, level: thinking };
  const guess = nearest(
    wanted,
    models.flatMap((one) => [one.id, selectorOf(one)]),
  );
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  throw new UserError("no-model", `Model not found: ${wanted}.${hint}`);
}

function find(wanted: string, models: readonly Model[]): Model | undefined {
  const exact = models.find((one) => selectorOf(one) === wanted || one.id === wanted);
  if (exact) return exact;
  return (isGlob(wanted) ? globMatches(wanted, models) : fuzzyMatches(wanted, models))[0];
}
