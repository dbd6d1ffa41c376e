import { expect, test } from "bun:test";
import { parseMarkdown } from "./front-matter.ts";

test("front matter is YAML between dashes at the very beginning", () => {
  expect(parseMarkdown("---\ndescription: d\ntools: [a, b]\n---\nBody\n---\n")).toEqual({
    fields: { description: "d", tools: ["a", "b"] },
    body: "Body\n---\n",
  });
  expect(parseMarkdown("---\r\nname: x\r\n---\r\nBody")).toEqual({
    fields: { name: "x" },
    body: "Body",
  });
  expect(parseMarkdown("---\n---\nBody")).toEqual({ fields: {}, body: "Body" });
});

test("without it, or without its end, everything is body", () => {
  for (const text of ["Body", "", "\n---\na: b\n---\n", "---\na: b\n"]) {
    expect(parseMarkdown(text)).toEqual({ fields: {}, body: text });
  }
});

test("broken YAML is read line by line, with the reason", () => {
  const { fields, body, problem } = parseMarkdown('---\ndescription: a: "b\nname: x\n---\nBody');
  expect(fields).toEqual({ description: 'a: "b', name: "x" });
  expect(body).toBe("Body");
  expect(problem).toBeString();
});
