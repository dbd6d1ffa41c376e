/** The commands about the model: which one answers, and how hard it thinks. */

import { THINKING_LEVELS, type Model, type ThinkingLevel } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import type { HandlersOf } from "../protocol/command.ts";
import type { ModelCommands } from "../protocol/commands/model.ts";
import type { ActiveModel } from "./active-model.ts";
import { selectorOf } from "./match.ts";
import { resolveScope, type ModelChoice, type ResolveDeps } from "./resolve.ts";

export interface ModelHandlersDeps extends ResolveDeps {
  readonly active: ActiveModel;
  /** The patterns a person goes through; all models with a key where there are none. */
  scope(): readonly string[];
  /** Tells the session and the front ends what is chosen now. */
  noteModel(): void;
}

export function createModelHandlers(deps: ModelHandlersDeps): HandlersOf<ModelCommands> {
  const { active, registry, noteModel } = deps;
  return {
    async set_model({ provider, modelId }) {
      const models = await registry.modelsOf(provider);
      const model = models.find(({ id }) => id === modelId);
      if (!model) throw new UserError("no-model", `Model not found: ${provider}/${modelId}`);
      await switchTo(model, active);
      noteModel();
      return active.current.model;
    },

    async cycle_model({ direction = "forward" }) {
      const patterns = deps.scope();
      const choices = await choicesOf(patterns, deps);
      const next = neighbour(choices, direction, ({ model }) => selectorOf(model), active.selector);
      if (!next) return undefined;
      await switchTo(next.model, active);
      if (next.thinking) active.thinking = next.thinking;
      noteModel();
      const { model, thinking: thinkingLevel } = active.current;
      return { model, thinkingLevel, isScoped: patterns.length > 0 };
    },

    list_models: () => registry.available(),

    async set_thinking_level({ level }) {
      if (!THINKING_LEVELS.includes(level)) {
        const known = THINKING_LEVELS.join(", ");
        throw new UserError("bad-input", `Unknown thinking level: ${level}. Known: ${known}.`);
      }
      active.thinking = level;
      noteModel();
      return active.current.thinking;
    },

    async cycle_thinking_level() {
      const { model, thinking } = active.current;
      const next = neighbour(levelsOf(model), "forward", (level) => level, thinking);
      if (next === undefined) return undefined;
      active.thinking = next;
      noteModel();
      return active.current.thinking;
    },
  };
}

async function switchTo(model: Model, active: ActiveModel): Promise<void> {
  if (await active.switchTo(model)) return;
  throw new UserError("no-key", `There is no API key for ${selectorOf(model)}.`);
}

/** A scope that names no model that can be called is as good as none. */
async function choicesOf(
  patterns: readonly string[],
  deps: ModelHandlersDeps,
): Promise<readonly ModelChoice[]> {
  const scoped = patterns.length > 0 ? (await resolveScope(patterns, deps)).choices : [];
  if (scoped.length > 0) return scoped;
  return (await deps.registry.available()).map((model) => ({ model }));
}

/** What this model can be told, and not to think. */
function levelsOf({ reasoning, thinking }: Model): readonly ThinkingLevel[] {
  if (!reasoning) return [];
  const levels = thinking?.levels ?? [];
  return levels.length > 0 ? ["off", ...levels] : THINKING_LEVELS;
}

/** The next one in a circle, or the first where the current one is not among them; undefined where there is no other. */
function neighbour<Item>(
  items: readonly Item[],
  direction: "forward" | "backward",
  nameOf: (item: Item) => string,
  current: string,
): Item | undefined {
  const at = items.findIndex((item) => nameOf(item) === current);
  if (items.length === 0 || (at >= 0 && items.length === 1)) return undefined;
  if (at < 0) return items[0];
  const step = direction === "forward" ? 1 : items.length - 1;
  return items[(at + step) % items.length];
}
