/** What a model is told of a stored session whose entries are more than questions and answers. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { say, scriptedModel, turn, workspace } from "@omp/testkit";
import { chat, run } from "./stage.ts";

test("SESS-44 COMP-04 summaries, custom messages and hook messages reach the model as the user's, in order", async () => {
  await using model = await scriptedModel([turn(say("on it"))]);
  await using place = await workspace();
  const timestamp = "2026-01-01T00:00:00.000Z";
  const kinds: readonly object[] = [
    { type: "compaction", summary: "COMPACTED", firstKeptEntryId: "", tokensBefore: 9 },
    { type: "branch_summary", fromId: "root", summary: "BRANCHED" },
    { type: "message", message: { role: "hookMessage", content: "HOOKED", timestamp: 1 } },
    { type: "message", message: { role: "custom", content: "CUSTOM", timestamp: 2 } },
    { type: "custom_message", customType: "note", content: "NOTED", display: false },
  ];
  const header = { type: "session", version: 3, id: "s", timestamp, cwd: place.path };
  const entries = kinds.map((kind, at) => {
    const parentId = at === 0 ? null : `0000000${at - 1}`;
    return { ...kind, id: `0000000${at}`, parentId, timestamp };
  });
  const folder = join(place.home, "kinds");
  mkdirSync(folder);
  const lines = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, "2026-01-01T00-00-00-000Z_s.jsonl"), lines.join(""));

  const { exitCode } = await run(place, model, ["-p", "--session-dir", folder, "-c", "go on"]);
  expect(exitCode).toBe(0);
  const told = chat(model, 0).filter((line) => !line.startsWith("system:"));
  expect(told.every((line) => line.startsWith("user:"))).toBe(true);
  expect(told.join("\n")).toMatch(/COMPACTED[^]*BRANCHED[^]*HOOKED[^]*CUSTOM[^]*NOTED[^]*go on/);
});
