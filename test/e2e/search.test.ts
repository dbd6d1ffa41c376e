/** Searching with the built program, which carries ripgrep inside. */

import { expect, test } from "bun:test";
import { callTool, say, scriptedModel, turn, workspace } from "@omp/testkit";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { run } from "./stage.ts";

test("the model searches; ripgrep is copied out once", async () => {
  await using place = await workspace({ files: { "src/a.ts": "one\nneedle\nthree\n" } });
  const shown = await searched(place);
  const [, header] = /(¶src\/a\.ts#[0-9A-F]{4})/.exec(shown)!;
  expect(shown).toContain(" 1:one\\n*2:needle\\n 3:three");
  const cache = join(place.home, ".cache/omp");
  const [version] = readdirSync(cache);
  const program = join(cache, version!, "rg");
  const { ino, mode } = statSync(program);
  expect(mode & 0o777).toBe(0o700);
  expect(await searched(place)).toContain(header!);
  expect(statSync(program).ino).toBe(ino);
});

/** What the model was answered, as JSON text. */
async function searched(place: Awaited<ReturnType<typeof workspace>>): Promise<string> {
  await using model = await scriptedModel([
    turn(callTool("search", { pattern: "ne+dle" })),
    turn(say("found")),
  ]);
  const { exitCode } = await run(place, model, ["-p", "go", "--yolo"]);
  expect(exitCode).toBe(0);
  return JSON.stringify(model.requests[1]!.body);
}
