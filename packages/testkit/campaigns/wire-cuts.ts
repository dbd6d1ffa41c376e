/** A cut answer is an exact prefix of the whole one, wherever the cut falls and however it is chunked. */

import { messageOf, type Random } from "@omp/std";
import { callTool, say, scriptedModel, think, turn } from "../src/index.ts";
import type { Answer, Block, Campaign } from "../src/index.ts";
import { rawExchange, rawPost, type RawResponse } from "../src/raw-http.ts";

const campaign: Campaign = {
  name: "wire-cuts",
  describe: "What the scripted model sends before a cut is an exact prefix of the uncut stream.",
  fullCount: 2_000,
  async run({ count, random, report }) {
    for (let i = 0; i < count; i++) {
      const plan = randomPlan(random);
      const name = `${i}: ${plan.wire.path} cut at ${plan.cutShare.toFixed(3)}`;
      const why = await faultOf(plan).catch(messageOf);
      report(
        why === undefined
          ? { case: name, result: "passed" }
          : { case: name, result: "failed", why },
      );
    }
  },
};

export default campaign;

const WIRES = [
  {
    path: "/v1/messages",
    headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
    body: { model: "m", max_tokens: 9, stream: true, messages: [{ role: "user", content: "hi" }] },
    end: "message_stop",
  },
  {
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer k" },
    body: { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] },
    end: "[DONE]",
  },
  {
    path: "/v1/responses",
    headers: { authorization: "Bearer k" },
    body: { model: "m", stream: true, input: "hi" },
    end: "response.completed",
  },
] as const;

interface Plan {
  readonly wire: (typeof WIRES)[number];
  readonly answer: Answer;
  /** Where in the stream the cut falls, from 0 to 1. */
  readonly cutShare: number;
  readonly chunkBytes: number;
}

/** What is wrong with this case, or undefined. */
async function faultOf({ wire, answer, cutShare, chunkBytes }: Plan): Promise<string | undefined> {
  const whole = await exchange(wire, answer);
  if (!whole.isWhole || whole.error !== undefined) return "the uncut stream has no end";
  if (!whole.body.includes(wire.end)) return `the uncut stream has no ${wire.end}`;
  const atByte = Math.round(cutShare * whole.body.length);
  const cut = await exchange(wire, answer.with({ chunkBytes, fault: { kind: "cut", atByte } }));
  if (cut.isWhole) return "the cut stream looks whole";
  if (cut.error !== undefined) return `the cut ended with ${cut.error}`;
  if (cut.body.length !== atByte) return `${cut.body.length} bytes came instead of ${atByte}`;
  if (!whole.body.subarray(0, atByte).equals(cut.body)) return "the bytes are no prefix";
  return undefined;
}

async function exchange(wire: Plan["wire"], answer: Answer): Promise<RawResponse> {
  await using model = await scriptedModel([answer]);
  // The await keeps the model until the bytes are here.
  return await rawExchange(model.url, rawPost(wire.path, wire.headers, JSON.stringify(wire.body)));
}

function randomPlan(random: Random): Plan {
  const blocks = Array.from({ length: below(random, 5) }, () => randomBlock(random));
  const pieces = { textPiece: 1 + below(random, 30), argumentPiece: 1 + below(random, 30) };
  return {
    wire: WIRES[below(random, WIRES.length)] ?? WIRES[0],
    answer: turn(...blocks).with(pieces),
    cutShare: random.next(),
    // Not less than 16: every chunk costs the event loop a turn.
    chunkBytes: 16 + below(random, 500),
  };
}

function randomBlock(random: Random): Block {
  const kind = below(random, 3);
  if (kind === 0) return say(randomText(random));
  if (kind === 1) return think(randomText(random));
  return callTool("tool", { text: randomText(random) });
}

function randomText(random: Random): string {
  const alphabet = [
    "a",
    " ",
    "\n",
    "\\",
    '"',
    "é",
    "日",
    "🎉",
    "\u0000",
    "\u2028",
    "data: ",
    "\r\n",
  ];
  return Array.from(
    { length: below(random, 120) },
    () => alphabet[below(random, alphabet.length)],
  ).join("");
}

function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}
