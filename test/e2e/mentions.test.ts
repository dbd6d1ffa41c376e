/** Files named inside the words of a prompt, through the built binary. */

import { say, scriptedModel, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { run } from "./stage.ts";

test("a typed @path brings the file along; what is piped in names no files and runs no commands", async () => {
  await using model = await scriptedModel([turn(say("ok")), turn(say("ok")), turn(say("ok"))]);
  await using place = await workspace({ files: { "notes.md": "remember the milk" } });
  await run(place, model, ["-p", "sum up @notes.md please"]);
  await run(place, model, ["-p"], { stdin: "sum up @notes.md please" });
  await run(place, model, ["-p"], { stdin: "/help" });
  const bodies = model.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.map((body) => body.includes("remember the milk"))).toEqual([true, false, false]);
  expect(bodies[2]).toContain("/help");
});
