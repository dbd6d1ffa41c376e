/** Wire commands about the model and its thinking. */

import { publicModel } from "../public-model.ts";
import { inTurn, type WireTable } from "./command.ts";

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;

type Names =
  | "set_model"
  | "cycle_model"
  | "get_available_models"
  | "set_thinking_level"
  | "cycle_thinking_level";

export const modelCommands: WireTable<Names> = {
  set_model: inTurn((fields, { engine }) => {
    const [provider, modelId] = [fields.text("provider"), fields.text("modelId")];
    return async () => publicModel(await engine.dispatch({ type: "set_model", provider, modelId }));
  }),
  cycle_model: inTurn((_, { engine }) => async () => {
    const next = await engine.dispatch({ type: "cycle_model" });
    return next === undefined ? null : { ...next, model: publicModel(next.model) };
  }),
  get_available_models: inTurn((_, { engine }) => async () => ({
    models: (await engine.dispatch({ type: "list_models" })).map(publicModel),
  })),
  set_thinking_level: inTurn((fields, { engine }) => {
    const level = fields.choice("level", LEVELS);
    return async () => ({ level: await engine.dispatch({ type: "set_thinking_level", level }) });
  }),
  cycle_thinking_level: inTurn((_, { engine }) => async () => {
    const level = await engine.dispatch({ type: "cycle_thinking_level" });
    return level === undefined ? null : { level };
  }),
};
