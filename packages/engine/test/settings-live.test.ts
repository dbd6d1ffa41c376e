/** Settings in a long life: config.yml changes while omp runs, and the session moves to another project. */

import type { Trust } from "@omp/agent";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { echoStage } from "./session-stage.ts";
import { sent } from "./stage.ts";

const CONFIG = "../home/.omp/agent/config.yml";
const WITHOUT = "disabledExtensions: [context-file:project:AGENTS.md]\n";

const trusting: Trust = {
  isFolderTrusted: () => Promise.resolve(true),
  allowed: () => Promise.resolve([]),
};

test("what is changed in config.yml while omp runs counts from the next prompt on", async () => {
  await using set = await echoStage();
  await set.place.write("AGENTS.md", "Speak like a sailor.");
  await using booted = await set.boot({ config: "" });
  await booted.prompt("one");
  expect(sent(set.model, 0)).toContain("Speak like a sailor.");
  await set.place.write(CONFIG, WITHOUT);
  await booted.engine.dispatch({ type: "new_session" });
  await booted.prompt("two");
  expect(sent(set.model, 1)).not.toContain("Speak like a sailor.");
  await set.place.write(CONFIG, "disabledExtensions: [\n");
  await booted.prompt("three");
  expect(sent(set.model, 2)).not.toContain("Speak like a sailor.");
  expect(set.notices.map(({ text }) => text)).toEqual([
    expect.stringContaining("what it said before is in force"),
  ]);
});

test("settings of a project end where the session leaves it, and the next one's begin", async () => {
  await using set = await echoStage();
  const other = join(set.place.path, "other");
  await mkdir(join(other, ".git"), { recursive: true });
  await set.place.write(".omp/config.yml", WITHOUT);
  await set.place.write("AGENTS.md", "First house.");
  await set.place.write("other/AGENTS.md", "Second house.");
  await using booted = await set.boot({ config: "", trust: trusting });
  await booted.prompt("one");
  expect(sent(set.model, 0)).not.toContain("First house.");
  await booted.engine.dispatch({ type: "move_session", cwd: "other" });
  await booted.engine.dispatch({ type: "new_session" });
  await booted.prompt("two");
  expect(sent(set.model, 1)).toContain("Second house.");
  await set.place.write("other/.omp/config.yml", WITHOUT);
  await booted.engine.dispatch({ type: "move_session", cwd: set.place.path });
  await booted.prompt("three");
  await booted.engine.dispatch({ type: "move_session", cwd: "other" });
  await booted.engine.dispatch({ type: "new_session" });
  await booted.prompt("four");
  expect(sent(set.model, 3)).not.toContain("Second house.");
});
