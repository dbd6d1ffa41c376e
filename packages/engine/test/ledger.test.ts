/** Money through the whole engine: what is counted, where it stops, how it goes on. */

import { expect, test } from "bun:test";
import { callTool, fail, say, turn } from "@omp/testkit";
import { facts } from "./shelf.ts";
import { house, stage } from "./stage.ts";

/** A million tokens of input; the scripted model is Anthropic's, so this costs dollars. */
const expensive = { usage: { input: 1_000_000 } };

test("every request is settled, with its purpose, and retries are counted apart", async () => {
  await using scene = await stage([
    turn(callTool("bash", { command: "true" })).with({ usage: { input: 100, output: 10 } }),
    fail(529),
    turn(say("done")).with({ usage: { input: 200, output: 20 } }),
  ]);
  await using booted = await scene.boot();
  await booted.prompt("go");
  const { total, byPurpose } = await booted.engine.dispatch({ type: "usage_report" });
  expect(total).toMatchObject({ requests: 3, input: 300, output: 30 });
  expect(byPurpose.turn?.requests).toBe(2);
  expect(byPurpose.retry).toMatchObject({ requests: 1, input: 200 });
  const settled = booted.events.filter((event) => event.type === "usage");
  expect(settled.map(({ charge }) => charge.purpose)).toEqual(["turn", "turn", "retry"]);
  expect(settled.at(-1)?.spent).toBe(total.cost);
  const stats = await booted.engine.dispatch({ type: "session_stats" });
  expect(stats.cost).toBeCloseTo(total.cost, 12);
});

test("the cap ends the run before the next request, and a higher one goes on with the session", async () => {
  await using scene = await stage([
    turn(callTool("bash", { command: "true" })).with(expensive),
    turn(say("went on")).with({ usage: { input: 5 } }),
  ]);
  {
    await using booted = await scene.boot({ maxCost: 0.01 });
    const result = await booted.prompt("go");
    expect(result.stopReason).toBe("error");
    expect(result.errorMessage).toMatch(/^The budget of \$0\.0100 is used up: \$\d/);
    expect(scene.model.requests).toHaveLength(1);
    expect(booted.events.map(({ type }) => type)).not.toContain("auto_retry_start");
    const again = await booted.prompt("once more");
    expect(again.stopReason).toBe("error");
    expect(scene.model.requests).toHaveLength(1);
  }
  await using resumed = await scene.boot({ session: { kind: "continue" }, maxCost: 50 });
  expect(await resumed.prompt("go on")).toMatchObject({ stopReason: "stop", text: "went on" });
});

test("a model without a price is named when a cap is given", async () => {
  await using scene = await stage([]);
  const prices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  await using _booted = await scene.boot({
    maxCost: 1,
    extraProviders: [house(facts("free", { prices }))],
    model: { model: "house/free" },
  });
  expect(scene.notices.map(({ text }) => text)).toContain(
    "No price is known for house/free: --max-cost cannot hold it back.",
  );
});

test("what a branch summary cost is in the session and in the report", async () => {
  await using scene = await stage([
    turn(say("one")),
    turn(say("two")),
    turn(say("the gist")).with({ usage: { input: 1000, output: 100 } }),
  ]);
  await using booted = await scene.boot();
  await booted.prompt("first");
  await booted.prompt("second");
  const { engine } = booted;
  const before = await engine.dispatch({ type: "session_stats" });
  const [first] = await engine.dispatch({ type: "branch_points" });
  const moved = await engine.dispatch({
    type: "move_leaf",
    entryId: first!.entryId,
    summarizes: true,
  });
  expect(moved.summaryEntryId).toBeString();
  const { byPurpose } = await engine.dispatch({ type: "usage_report" });
  expect(byPurpose["branch-summary"]).toMatchObject({ requests: 1, input: 1000, output: 100 });
  const after = await engine.dispatch({ type: "session_stats" });
  expect(after.tokens.input - before.tokens.input).toBe(1000);
  const said = JSON.stringify(engine.snapshot().session.messages);
  expect(said).toContain("the gist");
  expect(said).not.toContain("branch-summary");
});
