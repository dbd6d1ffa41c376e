/** Automatic titles: who is asked, what becomes of the answer, and that nobody waits for it. */

import { callTool, fail, say, turn, type RecordedRequest, type TurnSource } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { cleanTitle } from "../src/conversation/title.ts";
import { house, stage, type StageOptions } from "./stage.ts";

describe("a clean title", () => {
  test.each([
    ['"Fix the login bug."', "Fix the login bug"],
    ["**fix login**\nbecause it is broken", "Fix login"],
    ["one two three four five six seven eight nine", "One two three four five six seven"],
    ["Title: Add \u001b[31mred\u0007 tests!", "Add red tests"],
    ["FIX THE BUILD", "Fix the build"],
    ["  \n ", undefined],
    ["None.", undefined],
  ])("%j is %j", (raw, title) => expect(cleanTitle(raw)).toBe(title));
});

const isTitle = ({ body }: RecordedRequest) => JSON.stringify(body).includes("set_title");

/** The turn and the request for a title come in any order: what is asked for decides what is answered. */
function answering(title: TurnSource, times = 8): TurnSource[] {
  const answer: TurnSource = (request) =>
    !isTitle(request) ? turn(say("ok")) : typeof title === "function" ? title(request) : title;
  return Array.from({ length: times }, () => answer);
}

const MODELS = [house("main", "small", "tiny", "commits")];

interface Watched {
  readonly told: readonly string[];
  readonly asked: readonly RecordedRequest[];
}

/** Long enough to see that nothing comes. */
const QUIET_MS = 100;
const PATIENCE_MS = 10_000;

async function titled(
  title: TurnSource,
  options: StageOptions & { prompts?: string[]; until?: (seen: Watched) => boolean } = {},
) {
  const {
    prompts = ["please fix the login"],
    until = ({ told }) => told.length > 0,
    ...boot
  } = options;
  await using set = await stage(answering(title));
  await using booted = await set.boot({
    givesTitles: true,
    model: { model: "house/main" },
    extraProviders: MODELS,
    ...boot,
  });
  const told: string[] = [];
  booted.engine.subscribe((event) => {
    if (event.type === "session_title") told.push(event.title);
  });
  for (const prompt of prompts) await booted.prompt(prompt);
  const asked = () => set.model.requests.filter(isTitle);
  const patience = until === never ? QUIET_MS : PATIENCE_MS;
  for (let waited = 0; waited < patience && !until({ told, asked: asked() }); waited += 5) {
    await Bun.sleep(5);
  }
  const { header } = booted.engine.snapshot().session;
  const models = asked().map(({ body }) => modelIn(body));
  return { told, header, asked: asked(), models, notices: set.notices };
}

const never = () => false;
const modelIn = (body: unknown) => (body as { model: string }).model;
const named = turn(callTool("set_title", { title: '"Fix login\nnow"' }));

test("SESS-67 TINY-02 the first prompt gives the session a clean title, by a forced tool call", async () => {
  const long = turn(
    callTool("set_title", {
      title: '"one two three four five six seven eight nine\nten eleven twelve."',
    }),
  );
  const { told, header, asked } = await titled(long, { prompts: ["please fix the login", "more"] });
  expect(told).toEqual(["One two three four five six seven"]);
  expect(header).toMatchObject({ title: told[0], titleSource: "auto" });
  expect(asked).toHaveLength(1);
  expect(asked[0]!.body).toMatchObject({
    tool_choice: { type: "function", function: { name: "set_title" } },
  });
  expect(JSON.stringify(asked[0]!.body)).toContain("please fix the login");
});

test("SESS-67 a title of the person stays", async () => {
  await using set = await stage(answering(named));
  await using booted = await set.boot({ givesTitles: true });
  await booted.engine.dispatch({ type: "rename_session", title: "Mine" });
  await booted.prompt("please fix the login");
  await Bun.sleep(30);
  expect(set.model.requests.filter(isTitle)).toHaveLength(0);
  expect(booted.engine.snapshot().session.header).toMatchObject({ title: "Mine" });
});

test("TINY-03 SET-001 tiny, smol, commit and the session's model are asked in this order; failure is silent", async () => {
  const roles = { tiny: "house/tiny", smol: "house/small", commit: "house/commits" };
  const config = (names: (keyof typeof roles)[]) =>
    `retry: { baseDelayMs: 1 }\nmodelRoles: { ${names.map((name) => `${name}: ${roles[name]}`).join(", ")} }\n`;
  const first = async (names: (keyof typeof roles)[]) =>
    (await titled(named, { config: config(names) })).models;
  expect(await first(["commit", "smol", "tiny"])).toEqual(["tiny"]);
  expect(await first(["commit", "smol"])).toEqual(["small"]);
  expect(await first(["commit"])).toEqual(["commits"]);
  expect(await first([])).toEqual(["main"]);
  const failed = await titled(fail(400), {
    config: config(["tiny", "smol"]),
    until: ({ asked }) => asked.length === 3,
  });
  expect(failed.models).toEqual(["tiny", "small", "main"]);
  expect([failed.told, failed.notices]).toEqual([[], []]);
});

test("a slow title delays neither the turn nor the exit", async () => {
  await using set = await stage(answering(named.with({ delayMs: 60_000 })));
  const booted = await set.boot({ givesTitles: true });
  expect(await booted.prompt("please fix the login")).toMatchObject({ text: "ok" });
  while (!set.model.requests.some(isTitle)) await Bun.sleep(2);
  await booted[Symbol.asyncDispose]();
  expect(isTitle(await set.model.waitForClosedByClient(1))).toBe(true);
});

test("ENV-106 no title is asked for where the variable or the front end says so", async () => {
  expect((await titled(named, { env: { PI_NO_TITLE: "0" }, until: never })).asked).toEqual([]);
  expect((await titled(named, { givesTitles: undefined, until: never })).asked).toEqual([]);
});

test("TINY-06 TITLE_SYSTEM.md takes the place of the prompt, the project's first; none is no title", async () => {
  await using set = await stage(answering(turn(callTool("set_title", { title: "none" }))));
  await set.place.write("../home/.omp/agent/TITLE_SYSTEM.md", "Of the user.\n");
  await using booted = await set.boot({ givesTitles: true });
  const ask = async (number: number) => {
    await booted.prompt("please fix the login");
    for (;;) {
      const titles = set.model.requests.filter(isTitle);
      if (titles.length === number) return JSON.stringify(titles.at(-1)!.body);
      await Bun.sleep(2);
    }
  };
  expect(await ask(1)).toContain("Of the user.");
  await set.place.write(".omp/TITLE_SYSTEM.md", "Of the project.\n");
  await booted.engine.dispatch({ type: "new_session" });
  const second = await ask(2);
  expect(second).toContain("Of the project.");
  expect(second).not.toContain("Of the user.");
  await Bun.sleep(20);
  expect(booted.events.some(({ type }) => type === "session_title")).toBe(false);
});
