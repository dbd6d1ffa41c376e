import type { SettingRow } from "@omp/engine/boot";
import { expect, test } from "bun:test";
import { listed, listText } from "./list.ts";

const row: SettingRow = {
  name: "search.token",
  value: "s3cret",
  default: "",
  origin: "file",
  accepted: "a text",
  label: "Token",
  help: "Key of the search",
  isSecret: true,
  isPlanned: false,
};

test("a list shows that a secret is set, and never its value", () => {
  const plain = { ...row, name: "b", value: ["x"], isSecret: false, origin: "default" as const };
  expect(listText([row, plain])).toBe('search.token  ********  (file)\nb             ["x"]');
  expect(JSON.stringify(listed(row))).not.toContain("s3cret");
  expect(listed({ ...row, value: "" }).value).toBe("");
});
