import { expect, test } from "bun:test";
import { faultLine, lineOf } from "./yaml-place.ts";

const TEXT = `# Mine
providers:
  # the first
  one:
    baseUrl: http://a
    models:
      - id: x
        name: X
      - name: Y
        id: y
        compat: { extraBody: { id: 1 } }
  "two":
    models:
    - id: z
      cost: {
        input: 1,
        output: 2
      }
equivalence:
  exclude: [one/x]
`;

test.each([
  [["providers"], 2],
  [["providers", "one"], 4],
  [["providers", "one", "baseUrl"], 5],
  [["providers", "one", "models", 0, "name"], 8],
  [["providers", "one", "models", 1], 9],
  [["providers", "one", "models", 1, "id"], 10],
  [["providers", "one", "models", 1, "compat", "extraBody"], 11],
  [["providers", "two"], 12],
  [["providers", "two", "models", 0, "id"], 14],
  [["providers", "two", "models", 0, "cost", "output"], 17],
  [["equivalence", "exclude", 0], 20],
  [["providers", "one", "nothing"], 4],
])("%p stands on line %d", (path, line) => {
  expect(lineOf(TEXT, path)).toBe(line);
});

test.each([
  ["a: 1\nb: [\nc: 2\n", 2],
  ["a:\n  b: 1\n c: 2\nd: 3\n", 3],
  ["a: 1\nb: c: d\ne: 1\n", 2],
  ["a: 1\n\tb: 2\n", 2],
  ["[", 1],
])("%j stops being YAML on line %d", (text, line) => {
  const parses = (beginning: string) => {
    try {
      Bun.YAML.parse(beginning);
      return true;
    } catch {
      return false;
    }
  };
  expect(parses(text)).toBe(false);
  expect(faultLine(text, parses)).toBe(line);
});
