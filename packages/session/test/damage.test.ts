/** Whatever happens to the lines of a file, reading it never fails and loses no line that is whole. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  branchOf,
  contextOf,
  indexById,
  readSessionFile,
  treeOf,
  type TreeNode,
} from "@omp/session";
import { jsonl, scratch } from "./scratch.ts";

const HEADER = {
  type: "session",
  version: 3,
  id: "s",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/w",
};
const MOST = 24;

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary" }) }),
  fc.record({ type: fc.constant("thinking"), thinking: fc.string() }),
  fc.record({
    type: fc.constant("toolCall"),
    id: fc.constantFrom("1", "2"),
    name: fc.constant("bash"),
    arguments: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })),
  }),
);
const message = fc.oneof(
  fc.record({ role: fc.constant("user"), content: fc.oneof(fc.string(), fc.array(block)) }),
  fc.record({
    role: fc.constant("assistant"),
    content: fc.array(block),
    stopReason: fc.constantFrom("stop", "toolUse", "error", "aborted"),
  }),
  fc.record({
    role: fc.constant("toolResult"),
    toolCallId: fc.constantFrom("1", "2"),
    content: fc.array(block),
  }),
  fc.jsonValue({ maxDepth: 2 }),
);
const fields = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("message"), message }) },
  fc.record({
    type: fc.constant("compaction"),
    summary: fc.oneof(fc.string(), fc.jsonValue()),
    firstKeptEntryId: fc.nat(MOST).map(idOf),
  }),
  fc.record({
    type: fc.constantFrom("custom", "future", "label", "reset_boundary"),
    data: fc.jsonValue(),
  }),
);

/** A parent is earlier, later, the entry itself, missing, or none. */
const parent = fc.oneof(fc.constant(null), fc.nat(MOST).map(idOf));

/** Null leaves the line whole. The others damage its bytes, newline included. */
const damage = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  fc.record({ kind: fc.constant("cut" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constant("flip" as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bits: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({ kind: fc.constant("replace" as const), bytes: fc.uint8Array({ maxLength: 40 }) }),
);
type Damage = NonNullable<typeof damage extends fc.Arbitrary<infer Kind> ? Kind : never>;

const file = fc.array(fc.tuple(fields, parent, damage), { maxLength: MOST }).map((rows) =>
  rows.map(([content, parentId, harm], index) => {
    const place = { id: idOf(index), parentId, timestamp: new Date(index).toISOString() };
    const entry = { ...content, ...place };
    return { entry, harm, line: Buffer.from(jsonl(entry)) };
  }),
);

test("random trees with random damage", async () => {
  using place = scratch();
  const path = join(place.folder, "damaged.jsonl");
  const property = fc.asyncProperty(file, async (rows) => {
    const lines = rows.map(({ line, harm }) => (harm ? damaged(line, harm) : line));
    writeFileSync(path, Buffer.concat([Buffer.from(jsonl(HEADER)), ...lines]));
    const { entries } = await readSessionFile(path);

    const read = new Set(entries.map((entry) => JSON.stringify(entry)));
    for (const { entry, harm } of rows) if (!harm) expect(read).toContain(JSON.stringify(entry));

    expect(sizeOf(treeOf(entries))).toBe(entries.length);
    const index = indexById(entries);
    for (const { id } of entries) contextOf(branchOf(index, id));
    expectPaired(contextOf(entries).messages);
  });
  await fc.assert(property, { numRuns: 300, seed: 1 });
});

function idOf(index: number): string {
  return index.toString(16).padStart(8, "0");
}

function damaged(line: Buffer, harm: Damage): Uint8Array {
  switch (harm.kind) {
    // A writer died: at least the end of the object is missing, and the next line is glued on.
    case "cut":
      return line.subarray(0, Math.floor(harm.at * (line.length - 2)));
    case "flip": {
      const copy = Buffer.from(line);
      const at = Math.floor(harm.at * (line.length - 2));
      copy[at] = copy[at]! ^ harm.bits;
      return copy;
    }
    case "replace":
      return Buffer.concat([harm.bytes, Buffer.from("\n")]);
  }
}

function sizeOf(roots: readonly TreeNode[]): number {
  let size = 0;
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    size++;
    open.push(...node.children);
  }
  return size;
}

/** What every provider asks of a request: calls and results, and nothing between them. */
function expectPaired(messages: ReturnType<typeof contextOf>["messages"]): void {
  let waiting: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      expect(waiting).toContain(message.toolCallId);
      waiting.splice(waiting.indexOf(message.toolCallId), 1);
      continue;
    }
    expect(waiting).toEqual([]);
    if (message.role !== "assistant") continue;
    waiting = message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
  }
  expect(waiting).toEqual([]);
}
