/** Two programs on one session: the second is told and goes on in a fork, and no turn of either is lost. */

import { messageOf } from "@omp/std";
import {
  say,
  scriptedModel,
  sessionFiles,
  turn,
  workspace,
  type Campaign,
  type CaseOutcome,
  type RecordedRequest,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import fs from "node:fs";
import { startRpc, type Rpc } from "../e2e/rpc/stage.ts";
import { RACES } from "../support/races.ts";

/** Turns of each of the two. */
const DUEL_TURNS = 10;
/** One case of this many is a race for something else than a session. */
const RACE_SHARE = 11;

const campaign: Campaign = {
  name: "two-writers",
  describe: "Of two programs on one session no turn is lost, and the second is always told.",
  fullCount: 440,
  async run({ count, report }) {
    const races = Math.ceil(count / RACE_SHARE);
    const names = Object.keys(RACES) as (keyof typeof RACES)[];
    for (let index = 0; index < races; index++) {
      const name = names[index % names.length]!;
      const why = await RACES[name]().catch(messageOf);
      report(outcome(`${index}: ${name}`, why));
    }
    for (let left = count - races, index = 0; left > 0; index++) {
      const cases = (await duel(index)).slice(0, left);
      cases.forEach(report);
      left -= cases.length;
    }
  },
};

export default campaign;

interface Duellist {
  readonly name: string;
  readonly rpc: Rpc;
  readonly markers: readonly string[];
}

/** Of three kinds: the second comes later, both come at once, or the second during the first answer. */
async function duel(index: number): Promise<CaseOutcome[]> {
  const answers = Array.from({ length: 3 * DUEL_TURNS }, () => echo);
  await using model = await scriptedModel(answers);
  await using place = await workspace();
  const [one, other] = await start(index % 3, place, model);
  await using first = one;
  await using second = other;
  const both = [duellist("a", first), duellist("b", second)];
  await Promise.all(both.map(talk));
  const warnings = both.filter(({ rpc }) => isTold(rpc)).length;
  await Promise.all(both.map(({ rpc }) => rpc.end()));
  const files = (await sessionFiles(place.home)).map((file) => fs.readFileSync(file, "utf8"));
  return both.flatMap((who) =>
    who.markers.map((marker) => {
      const told = warnings === 1 ? undefined : `${warnings} of the two were told`;
      const why = told ?? lostFrom(files, who, marker) ?? unseen(model, who, marker);
      return outcome(`duel ${index}: ${marker}`, why);
    }),
  );
}

/** The turn that makes the session is nobody's. */
async function start(kind: number, place: Workspace, model: ScriptedModel): Promise<[Rpc, Rpc]> {
  const open = (...args: readonly string[]) => startRpc(place, model.environment(), { args });
  const maker = await open();
  if (kind === 2) {
    await maker.ask({ type: "prompt", message: "<o-0>" });
    // Before there is a file there is nothing to continue.
    while ((await sessionFiles(place.home)).length === 0) await Bun.sleep(1);
    const late = await open("--continue");
    await maker.untilType("agent_end");
    return [maker, late];
  }
  await maker.prompt("<o-0>");
  const [file = ""] = await sessionFiles(place.home);
  if (kind === 0) return [maker, await open("--resume", file)];
  await maker.end();
  return Promise.all([open("--resume", file), open("--resume", file)]);
}

function duellist(name: string, rpc: Rpc): Duellist {
  const markers = Array.from({ length: DUEL_TURNS }, (_, at) => `<${name}-${at}>`);
  return { name, rpc, markers };
}

async function talk({ rpc, markers }: Duellist): Promise<void> {
  for (const marker of markers) await rpc.prompt(marker);
}

function isTold(rpc: Rpc): boolean {
  return rpc
    .frames()
    .some(({ method, message }) => method === "notify" && /going on in a fork/.test(message));
}

/** Prompt and answer stand in one file, and in no file that the other wrote. */
function lostFrom(files: readonly string[], { name }: Duellist, marker: string) {
  const home = files.find((text) => text.includes(`"${marker}"`) && text.includes(`ok ${marker}`));
  if (home === undefined) return `${marker} or its answer is in no session`;
  const others = name === "a" ? "<b-" : "<a-";
  return home.includes(others) ? `${marker} is mixed with turns of the other` : undefined;
}

/** The last request of a program holds all its turns. */
function unseen(model: ScriptedModel, { name }: Duellist, marker: string) {
  const last = model.requests.findLast((request) => lastMarker(request).startsWith(`<${name}-`));
  const context = last && JSON.stringify(last.body);
  return context?.includes(marker) ? undefined : `${marker} was lost from the context`;
}

function echo(request: RecordedRequest) {
  const marker = lastMarker(request);
  const answer = turn(say(`ok ${marker}`));
  return marker === "<o-0>" ? answer.with({ textPiece: 1, betweenMs: 15 }) : answer;
}

function lastMarker({ body }: RecordedRequest): string {
  return (
    JSON.stringify(body)
      .match(/<[abo]-\d+>/g)
      ?.at(-1) ?? ""
  );
}

function outcome(name: string, why: string | undefined): CaseOutcome {
  return why === undefined
    ? { case: name, result: "passed" }
    : { case: name, result: "failed", why };
}
