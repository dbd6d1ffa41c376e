/** What an entry looks like in the file, and what comes back. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, scratch } from "../test/scratch.ts";
import { BlobStore } from "./blobs.ts";
import { contextOf } from "./context.ts";
import type { EntryDraft, SessionEntry } from "./entry.ts";
import { CUT_MARK, MAX_PERSISTED_CHARACTERS, persistedEntry, restoredEntry } from "./persisted.ts";

let place: ReturnType<typeof scratch>;
let blobs: BlobStore;
beforeEach(() => {
  place = scratch();
  blobs = new BlobStore(join(place.folder, "blobs"));
});
afterEach(() => place[Symbol.dispose]());

const entry = (draft: EntryDraft | { type: string; [field: string]: unknown }) =>
  ({
    id: "00000001",
    parentId: null,
    timestamp: "2026-01-02T03:04:05.678Z",
    ...draft,
  }) as SessionEntry;
const messageEntry = (message: object) => entry({ type: "message", message });
const persisted = (given: SessionEntry) => persistedEntry(given, blobs);
const restored = (given: SessionEntry) =>
  restoredEntry(JSON.parse(JSON.stringify(given)) as SessionEntry, blobs);
const picture = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, index) => (index * 31) % 256)).toString("base64");
const imageOf = (data: string) => ({ type: "image", data, mimeType: "image/png" });
const withImages = (...data: string[]) =>
  messageEntry({ role: "user", content: [{ type: "text", text: "look" }, ...data.map(imageOf)] });

describe("text", () => {
  test("an entry that needs no change is the same object", () => {
    const plain = messageEntry(answer([{ type: "text", text: "hello" }]));
    expect(persisted(plain)).toBe(plain);
    expect(restoredEntry(plain, blobs)).toBe(plain);
  });

  test("STOR-10 STOR-16 SESS-51 a huge text is cut in the file, ends with the mark, and stays whole in memory", () => {
    const text = "x".repeat(50_000_000);
    const live = messageEntry({ role: "user", content: [{ type: "text", text }] });
    const line = JSON.stringify(persisted(live));
    expect(line.length).toBeLessThan(MAX_PERSISTED_CHARACTERS + 1000);
    const [block] = (JSON.parse(line) as { message: { content: { text: string }[] } }).message
      .content;
    expect(block!.text).toEndWith(CUT_MARK);
    expect(block!.text.startsWith("x".repeat(400_000))).toBe(true);
    expect(live).toMatchObject({ message: { content: [{ text }] } });
    const again = JSON.parse(line) as SessionEntry;
    expect(persisted(again)).toBe(again);
    const fits = messageEntry({ role: "user", content: "x".repeat(MAX_PERSISTED_CHARACTERS) });
    expect(persisted(fits)).toBe(fits);
  });

  test("a cut splits no character", () => {
    const cut = persisted(messageEntry({ role: "user", content: `x${"😀".repeat(400_000)}` }));
    const { content } = (cut as { message: { content: string } }).message;
    expect(content.isWellFormed()).toBe(true);
    expect(content).toMatch(/^x(😀)+\n\n\[/u);
  });

  test("STOR-11 signatures are whole, however long", () => {
    const long = "s".repeat(600_000);
    const signed = messageEntry(
      answer([
        { type: "thinking", thinking: "hm", thinkingSignature: long },
        { type: "text", text: "yes", textSignature: long },
        { type: "toolCall", id: "1", name: "bash", arguments: {}, thoughtSignature: long },
      ]),
    );
    expect(persisted(signed)).toBe(signed);
  });

  test("STOR-12 transient fields are left out, but not those a model named so itself", () => {
    const call = { type: "toolCall", id: "1", name: "t", arguments: { partialJson: "mine" } };
    const live = messageEntry({
      ...answer([]),
      content: [{ ...call, partialJson: '{"partialJ' }],
      details: { jsonlEvents: [1, 2] },
    });
    expect(persisted(live)).toMatchObject({ message: { content: [call], details: {} } });
    expect(JSON.stringify(persisted(live))).not.toContain("jsonlEvents");
    expect(JSON.stringify(persisted(live)).match(/partialJson/g)).toHaveLength(1);
    expect(JSON.stringify(live).match(/partialJson/g)).toHaveLength(2);
  });

  test("SESS-51 a line count beside a cut text counts what is left", () => {
    const content = "line\n".repeat(120_000);
    const file = { path: "a.txt", content, lineCount: 120_001 };
    const mention = messageEntry({
      role: "fileMention",
      files: [file, { ...file, content: "x", lineCount: 1 }],
    });
    const { files } = (persisted(mention) as unknown as { message: { files: (typeof file)[] } })
      .message;
    expect(files[0]!.content).toEndWith(CUT_MARK);
    expect(files[0]!.lineCount).toBe(files[0]!.content.split("\n").length);
    expect(files[1]!.lineCount).toBe(1);
  });

  test("what is nested without end does no harm", () => {
    let nested: unknown = "x".repeat(600_000);
    for (let depth = 0; depth < 5000; depth++) nested = [nested];
    const deep = entry({ type: "custom", customType: "deep", data: nested });
    expect(persisted(deep)).toBe(deep);
  });
});

describe("pictures", () => {
  test("STOR-13 STOR-16 STOR-17 SESS-52 data of 1024 characters or more is a reference in the file, and comes back", () => {
    const [small, atLimit, large] = [picture(765), picture(768), picture(90_000)];
    expect([small.length, atLimit.length]).toEqual([1020, 1024]);
    const live = withImages(small, atLimit, large);
    const stored = persisted(live);
    const { content } = (stored as unknown as { message: { content: { data: string }[] } }).message;
    expect(content[1]!.data).toBe(small);
    for (const [at, data] of [
      [2, atLimit],
      [3, large],
    ] as const) {
      const [, , hash] = content[at]!.data.split(":");
      expect(content[at]!.data).toMatch(/^blob:sha256:[0-9a-f]{64}$/);
      expect(readFileSync(join(blobs.folder, hash!)).toString("base64")).toBe(data);
    }
    expect(live).toEqual(withImages(small, atLimit, large));
    expect(restored(stored)).toEqual(live);
    expect(persisted(stored)).toBe(stored);
  });

  test("STOR-14 STOR-17 SESS-52 an image_url is kept as its text, of any length, also where it is wrapped", () => {
    const url = `data:image/png;base64,${picture(30)}`;
    const live = messageEntry({
      role: "assistant",
      content: [],
      providerPayload: { items: [{ image_url: url }, { image_url: { url, detail: "low" } }] },
    });
    const stored = persisted(live);
    const [name, ...others] = readdirSync(blobs.folder);
    expect(others).toEqual([]);
    expect(readFileSync(join(blobs.folder, name!), "utf8")).toBe(url);
    expect(stored).toMatchObject({
      message: {
        providerPayload: {
          items: [
            { image_url: `blob:sha256:${name}` },
            { image_url: { url: `blob:sha256:${name}` } },
          ],
        },
      },
    });
    expect(restored(stored)).toEqual(live);
    const elsewhere = messageEntry({
      role: "user",
      content: "x",
      image_url: "https://example.com/a.png",
    });
    expect(persisted(elsewhere)).toBe(elsewhere);
  });

  test("pictures in custom messages come back too", () => {
    const live = entry({
      type: "custom_message",
      customType: "note",
      content: [{ type: "image", data: picture(3000), mimeType: "image/png" }],
      display: true,
    });
    const stored = persisted(live);
    expect(JSON.stringify(stored).length).toBeLessThan(500);
    expect(restored(stored)).toEqual(live);
  });

  test("a missing blob leaves its reference, and the rest of the entry", () => {
    const stored = persisted(withImages(picture(3000)));
    rmSync(blobs.folder, { recursive: true });
    expect(restored(stored)).toEqual(stored);
  });

  test("a model hears of a missing picture in words, beside those that are there", () => {
    const [gone, there] = [picture(3000), picture(4000)];
    const stored = persisted(withImages(gone, there));
    const { content } = (stored as unknown as { message: { content: { data: string }[] } }).message;
    rmSync(join(blobs.folder, content[1]!.data.slice("blob:sha256:".length)));
    expect(contextOf([restored(stored)]).messages).toMatchObject([
      {
        content: [
          { type: "text", text: "look" },
          { type: "text", text: "[An image was here; its file is missing.]" },
          imageOf(there),
        ],
      },
    ]);
  });

  test("a store that cannot be written to leaves the picture in the line, whole", () => {
    writeFileSync(blobs.folder, "in the way");
    const live = withImages(picture(600_000));
    expect(persisted(live)).toBe(live);
  });

  test("what is not base64 stays as it is", () => {
    const live = withImages("not base64! ".repeat(200));
    expect(persisted(live)).toBe(live);
  });
});
