/** Edits in the engine: the form that settings and environment choose, and tools that agree about tags. */

import { callTool, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sent, stage, type StageOptions } from "./stage.ts";

const FIELDS = {
  hashline: ["input"],
  replace: ["path", "edits"],
  patch: ["files"],
  apply_patch: ["input"],
} as const;
const PROMPTS = {
  hashline: "Changes text files by line number",
  replace: "Replaces text in a file",
  patch: "Creates, changes, renames and deletes files",
  apply_patch: "Changes files by a patch in this form",
} as const;
type Mode = keyof typeof FIELDS;

/** The edit tool as the model gets it. */
async function offered(options: StageOptions) {
  await using set = await stage([turn(say("ok"))]);
  await using booted = await set.boot(options);
  await booted.prompt("go");
  const { tools } = booted.engine.snapshot();
  const edit = tools.find(({ name }) => name === "edit")!;
  return { edit, request: sent(set.model, 0), notices: set.notices };
}

const CHOICES: readonly (readonly [Mode, StageOptions])[] = [
  ["hashline", {}],
  ["replace", { config: "edit: { mode: replace }\n" }],
  ["patch", { env: { PI_EDIT_VARIANT: "patch" } }],
  ["apply_patch", { config: "edit: { mode: replace }\n", env: { PI_EDIT_VARIANT: "apply_patch" } }],
  ["hashline", { env: { PI_EDIT_VARIANT: "xyz" } }],
  ["hashline", { env: { PI_EDIT_VARIANT: "vim" } }],
];
test.each(CHOICES)("EDIT-01 EDIT-02 EDIT-03 EDIT-04 SET-152 %s by %j", async (mode, options) => {
  const { edit, request } = await offered(options);
  expect(edit.parameters).toMatchObject({ required: FIELDS[mode] });
  expect(edit.description).toContain(PROMPTS[mode]);
  expect(request).toContain(PROMPTS[mode]);
});

test("EDIT-16 the sign of payload comes from the environment, once for all", async () => {
  const { edit } = await offered({ env: { PI_HL_SEP: "%" } });
  expect(edit.description).toContain("%first new line");
  const wrong = await offered({ env: { PI_HL_SEP: "+" } });
  expect(wrong.edit.description).toContain("~first new line");
});

test("EDIT-31 EDIT-36 EDIT-37 EDIT-38 EDIT-41 read, search, write and edit name the same state by the same tag", async () => {
  await using set = await stage([
    turn(callTool("write", { path: "lib/x.ts", content: "one\ntwo\nthree\n" })),
    turn(callTool("read", { path: "lib/x.ts" })),
    turn(callTool("read", { path: "lib/x.ts:2-2" })),
    turn(callTool("search", { pattern: "three", path: "lib" })),
    (request) => {
      const tag = /¶lib\/x\.ts#([0-9A-F]{4})/.exec(JSON.stringify(request.body))![1];
      return turn(callTool("edit", { input: `¶lib/x.ts#${tag}\n= 2\n~TWO` }));
    },
    turn(callTool("read", { path: "lib/x.ts" })),
    turn(say("ok")),
  ]);
  await using booted = await set.boot({});
  await booted.prompt("go");
  const results = (await set.entries()).flatMap((entry) => {
    const message = entry["message"] as { role?: string; content?: { text: string }[] } | undefined;
    return message?.role === "toolResult" ? [message.content![0]!.text] : [];
  });
  const tags = results.map((text) => /^¶lib\/x\.ts#([0-9A-F]{4})$/m.exec(text)?.[1]);
  const [first, , , , second] = tags;
  expect(tags).toEqual([first, first, first, first, second, second]);
  expect(first).not.toBe(second);
  expect(results.join("\n")).not.toMatch(/^\*?\d+[a-z]{2}\|/m);
  expect(results[1]).toBe(`¶lib/x.ts#${first}\n1:one\n2:two\n3:three`);
  expect(results[3]).toContain("3:three");
  expect(readFileSync(join(set.place.path, "lib/x.ts"), "utf8")).toBe("one\nTWO\nthree\n");
});

test("EDIT-76 WRITE-22 what was just made is found at once", async () => {
  await using set = await stage([
    turn(callTool("find", { paths: ["**/*.ts"] })),
    turn(callTool("write", { path: "src/new.ts", content: "x\n" })),
    turn(callTool("edit", { input: "¶src/other.ts\n+ BOF\n~x" })),
    turn(callTool("find", { paths: ["**/*.ts"] })),
    turn(say("ok")),
  ]);
  await set.place.write("src/old.ts", "x\n");
  await using booted = await set.boot({});
  await booted.prompt("go");
  const body = sent(set.model, 4);
  expect(body).toContain("new.ts");
  expect(body.match(/other\.ts/g)!.length).toBeGreaterThan(2);
});
