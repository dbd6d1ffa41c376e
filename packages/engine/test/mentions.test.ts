/** Files named by `@path` in a prompt, and pictures that come with it. */

import { say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mentionedWords } from "../src/conversation/mentions.ts";
import { png } from "./pictures.ts";
import { sent, stage } from "./stage.ts";

describe("words", () => {
  test.each([
    ["look at @src/a.ts and (@b.md)", ["src/a.ts", "b.md)"]],
    ['read @"my notes.md" now', ["my notes.md"]],
    ["mail ann@example.org", []],
    ["@start and\n@next", ["start", "next"]],
    ["an @ alone", []],
  ])("%j", (text, words) => expect(mentionedWords(text)).toEqual(words));
});

async function asked(text: string, { expands }: { expands?: boolean } = {}) {
  await using set = await stage([turn(say("ok"))]);
  await set.place.write("notes.md", "remember the milk\n");
  await set.place.write("my notes.md", "with a blank\n");
  await set.place.write("big.txt", "x".repeat(300_000));
  writeFileSync(join(set.place.path, "data.bin"), new Uint8Array([1, 0, 2]));
  writeFileSync(join(set.place.path, "shot.png"), await png(8, 6));
  await using booted = await set.boot();
  const { engine } = booted;
  await engine.dispatch({ type: "prompt", text, ...(expands === undefined ? {} : { expands }) });
  const stored = (await set.entries()).flatMap(({ message }) => (message ? [message] : []));
  return { request: sent(set.model, 0), stored: stored as { role: string }[] };
}

test("a word @path that names a file brings it along, once, in a message before the prompt", async () => {
  const { request, stored } = await asked('sum up @notes.md, @notes.md and @"my notes.md".');
  expect(stored.slice(0, 2)).toMatchObject([
    {
      role: "fileMention",
      files: [
        { content: "remember the milk\n", lineCount: 1 },
        { content: "with a blank\n", lineCount: 1 },
      ],
    },
    { role: "user", content: [{ text: 'sum up @notes.md, @notes.md and @"my notes.md".' }] },
  ]);
  expect(request.split("remember the milk")).toHaveLength(2);
  expect(request.indexOf("remember the milk")).toBeLessThan(request.indexOf("sum up"));
});

test("what names no file stays a word; what is too large or no text is said to be so", async () => {
  const plain = await asked("fix @Injectable() and write to ann@example.org about @missing.md");
  expect(plain.stored.map(({ role }) => role)).toEqual(["user", "assistant"]);
  const odd = await asked("see @big.txt and @data.bin");
  expect(odd.request).toContain("file too large");
  expect(odd.request).not.toContain("xxxxxxxx");
  expect(odd.request).toContain("[Not attached: it is not a text]");
});

test("a picture is sent as one", async () => {
  const { request } = await asked("what is on @shot.png?");
  expect(request).toContain('"media_type":"image/png"');
});

test("a prompt that is not to be expanded is sent as it is", async () => {
  const { stored } = await asked("see @notes.md", { expands: false });
  expect(stored.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("RPC-26 pictures of a prompt pass the door for pictures and reach the provider", async () => {
  await using set = await stage([turn(say("ok")), turn(say("ok"))]);
  await using booted = await set.boot();
  const data = (await png(8, 6)).toBase64();
  const image = { type: "image", data, mimeType: "image/png" } as const;
  await booted.engine.dispatch({ type: "prompt", text: "look", images: [image] });
  expect(set.model.requests[0]!.body).toMatchObject({
    messages: [
      {
        content: [
          { type: "text", text: "look" },
          { type: "image", source: { type: "base64", media_type: "image/png", data } },
        ],
      },
    ],
  });
  for (const [wrong, reason] of [
    ["####", "its data is not base64"],
    [Buffer.from("no picture").toString("base64"), "not a picture"],
  ] as const) {
    const images = [{ ...image, data: wrong }];
    const failed = booted.engine.dispatch({ type: "prompt", text: "look", images });
    expect(String(await failed.catch((error) => error))).toContain(reason);
  }
  expect(set.model.requests).toHaveLength(1);
  const large = (await png(3000, 10)).toBase64();
  await booted.engine.dispatch({
    type: "prompt",
    text: "wide",
    images: [{ ...image, data: large }],
  });
  expect(sent(set.model, 1)).toContain("the original is 3000x10");
});
