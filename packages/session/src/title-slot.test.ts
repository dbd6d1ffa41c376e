import { expect, test } from "bun:test";
import { readTitleSlot, titleSlot } from "./title-slot.ts";

const NOW = "2026-01-02T03:04:05.678Z";

test.each([
  ["no title", "", ""],
  ["a short title", "Tide tables", "Tide tables"],
  ["quotes and breaks", '"quoted" \\ and\nbroken', '"quoted" \\ and\nbroken'],
  ["two bytes each", "é".repeat(200), "é".repeat(87)],
  ["four bytes each", "🌊".repeat(5000), "🌊".repeat(43)],
])("%s: the slot is 256 bytes and holds whole characters", (_, title, kept) => {
  const slot = titleSlot({ title }, NOW);
  expect(Buffer.byteLength(slot)).toBe(256);
  expect(slot.indexOf("\n")).toBe(slot.length - 1);
  expect(readTitleSlot(JSON.parse(slot))).toEqual({ title: kept });
});

test("the slot says who gave the title", () => {
  const slot = titleSlot({ title: "Mine", source: "user" }, NOW);
  expect(JSON.parse(slot)).toMatchObject({ type: "title", v: 1, updatedAt: NOW, source: "user" });
  expect(readTitleSlot(JSON.parse(slot))).toEqual({ title: "Mine", source: "user" });
});
