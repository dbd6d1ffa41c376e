/** What Anthropic refuses about the choice of words: what thinks, and what is new, takes less. */

import { field, type JsonObject } from "../json.ts";

const NONE_AT_ALL = /fable|mythos|opus-4-[78]|(opus|sonnet|haiku)-[5-9]/;
const ONE_OF_TWO = /(opus|sonnet|haiku)-4-[1-9](?!\d)/;

export function* samplingFaults(body: JsonObject): Generator<string> {
  const model = String(body.model);
  const given = ["temperature", "top_p", "top_k"].filter((name) => body[name] !== undefined);
  if (NONE_AT_ALL.test(model)) {
    for (const name of given) yield `\`${name}\` is deprecated for this model.`;
  }
  if (ONE_OF_TWO.test(model) && given.includes("temperature") && given.includes("top_p")) {
    yield "`temperature` and `top_p` cannot both be specified for this model. Please use only one.";
  }
  const type = field(body.thinking, "type");
  if (type !== "enabled" && type !== "adaptive") return;
  if (given.includes("temperature") && body.temperature !== 1) {
    yield "`temperature` may only be set to 1 when thinking is enabled.";
  }
  if (given.includes("top_k")) yield "`top_k` must be unset when thinking is enabled.";
  if (Number(body.top_p ?? 1) < 0.95) {
    yield "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.";
  }
}
