/** Sessions of every shape survive their compactions: nothing that was to be kept is gone, and there is a way back. */

import { SessionLog } from "@omp/session";
import { messageOf, systemClock, type Random } from "@omp/std";
import {
  cleanEnvironment,
  fail,
  say,
  scriptedModel,
  turn,
  workspace,
  type Campaign,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { boot } from "../src/boot.ts";
import type { Engine } from "../src/protocol/index.ts";
import { assistant, call, randomHistory, result, user } from "../test/histories.ts";
import { facts } from "../test/shelf.ts";
import { house } from "../test/stage.ts";

const WAYS = ["model", "outline", "no-model"] as const;
type Way = (typeof WAYS)[number];

const ROUNDS = 3;
const PINNED = "Pinned: öäü <tags> & `code`,\n  word for word.";
const GOAL = "planted goal 4711";
const COMMAND = "make planted-failure";

const campaign: Campaign = {
  name: "compaction",
  describe:
    "Generated sessions keep pinned texts, planted facts and files over three compactions of each kind, stay legal, and can be reverted byte for byte.",
  fullCount: 500,
  async run({ count, random, report }) {
    await using place = await workspace();
    for (let index = 0; index < count; index++) {
      const way = WAYS[index % WAYS.length]!;
      const name = `${index}: ${way}`;
      const why = await faultOf(place, way, random).catch(messageOf);
      report(
        why === undefined
          ? { case: name, result: "passed" }
          : { case: name, result: "failed", why },
      );
    }
  },
};

export default campaign;

/** What is wrong with this case, or undefined. */
async function faultOf(place: Workspace, way: Way, random: Random): Promise<string | undefined> {
  const path = await sessionFile(place, random);
  // Strict: what a vendor would refuse fails the case.
  await using model = await scriptedModel(
    Array.from({ length: 40 }, () => (request) => {
      const isSummary = JSON.stringify(request.body).includes("<conversation>");
      if (isSummary && way === "no-model") return fail(400, { message: "no summaries" });
      return turn(say(isSummary ? `About it.\n\n${GOAL}` : "ok"));
    }),
  );
  await using engine = await open(place, model, path, way);
  const before = await engine.dispatch({ type: "session_entries" });
  await engine.dispatch({ type: "pin", text: PINNED });
  for (let round = 0; round < ROUNDS; round++) {
    const why = await compactedFault(engine, way, random);
    if (why !== undefined) return `round ${round + 1}: ${why}`;
  }
  const after = new Set((await engine.dispatch({ type: "session_entries" })).map(({ id }) => id));
  const lost = before.find(({ id }) => !after.has(id));
  return lost && `entry ${lost.id} is gone`;
}

async function compactedFault(
  engine: Engine,
  way: Way,
  random: Random,
): Promise<string | undefined> {
  const prompts = 1 + Math.floor(random.next() * 3);
  for (let index = 0; index < prompts; index++) {
    const text = `more ${"w".repeat(2000)}`;
    const { stopReason, errorMessage } = await engine.dispatch({ type: "prompt", text });
    if (stopReason !== "stop") return `a prompt was refused: ${errorMessage}`;
  }
  const messages = () => JSON.stringify(engine.snapshot().session.messages);
  const before = messages();
  const compact = () => engine.dispatch({ type: "compact" });
  const first = await compact();
  if (first.cancelled) return "it was cancelled";
  await engine.dispatch({ type: "revert_compaction" });
  if (messages() !== before) return "the way back does not lead to where it began";
  const second = await compact();
  if (second.cancelled) return "it was cancelled the second time";
  if (second.report.way !== (way === "model" ? "model" : "outline")) return "made another way";
  // A pinned text that is not old enough stands where it was said.
  const isPinned = messages().includes(JSON.stringify(PINNED).slice(1, -1));
  return isPinned ? lostIn(second.summary, way) : "the pinned text is not in the context";
}

/** What must be in each summary and is not. */
function lostIn(summary: string, way: Way): string | undefined {
  const needed = [
    "<read-files>\n",
    "planted-read.ts\n",
    "planted-write.ts\n",
    GOAL,
    ...(way === "model" ? [] : [COMMAND]),
  ];
  const missing = needed.find((text) => !summary.includes(text));
  return missing && `not in the summary: ${missing}`;
}

async function sessionFile(place: Workspace, random: Random): Promise<string> {
  const folder = `${place.home}/generated`;
  const log = SessionLog.create({ cwd: place.path, folder, clock: systemClock, random });
  log.append(user(GOAL));
  const calls = [
    call("planted_1", "read", { path: "planted-read.ts" }),
    call("planted_2", "write", { path: "planted-write.ts" }),
    call("planted_3", "bash", { command: COMMAND }),
  ];
  log.append(assistant("", calls));
  log.append(result("planted_1", "read", "r"));
  log.append(result("planted_2", "write", "w"));
  log.append(result("planted_3", "bash", "it broke", true));
  randomHistory(random, 20 + Math.floor(random.next() * 150), { log, compacts: false });
  log.persist();
  await log.close();
  return log.path!;
}

function open(place: Workspace, model: ScriptedModel, path: string, way: Way): Promise<Engine> {
  return boot({
    cwd: place.path,
    home: place.home,
    environment: cleanEnvironment(place.home, {
      HOUSE_URL: `${model.url}/v1`,
      HOUSE_KEY: "test-house-key-0001",
    }),
    ui: { request: () => Promise.resolve(undefined), tell() {} },
    session: { kind: "resume", value: path },
    model: { model: "house/small" },
    extraProviders: [house(facts("small"))],
    settings: {
      "compaction.keepRecentTokens": 800,
      ...(way === "outline" && { "compaction.strategy": "outline" }),
    },
  });
}
