import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { resetInText, setInText } from "./config-text.ts";

/** Name, what is set, the text before, the text after. */
const changes: readonly (readonly [string, string, unknown, string, string])[] = [
  ["an empty file", "retry.enabled", false, "", "retry:\n  enabled: false\n"],
  ["a name without a dot", "shellPath", "/bin/zsh", "", 'shellPath: "/bin/zsh"\n'],
  ["a last line without its end", "a", 1, "# mine", "# mine\na: 1\n"],
  [
    "a value in place, with its comment",
    "retry.maxRetries",
    3,
    "# top\nretry:\n  # how often\n  maxRetries: 10  # many\n  enabled: true\n\nother: 1\n",
    "# top\nretry:\n  # how often\n  maxRetries: 3  # many\n  enabled: true\n\nother: 1\n",
  ],
  [
    "a new member of a mapping, with its indentation",
    "retry.maxRetries",
    3,
    "retry:\n    enabled: true\n\nother: 1\n",
    "retry:\n    enabled: true\n    maxRetries: 3\n\nother: 1\n",
  ],
  [
    "a mapping without members",
    "retry.enabled",
    true,
    "retry:\nb: 1\n",
    "retry:\n  enabled: true\nb: 1\n",
  ],
  [
    "the full name as key",
    "retry.enabled",
    true,
    "retry.enabled: false\n",
    "retry.enabled: true\n",
  ],
  [
    "a quoted key",
    "retry.enabled",
    true,
    "'retry':\n  \"enabled\": false\n",
    "'retry':\n  \"enabled\": true\n",
  ],
  [
    "a mapping in braces",
    "retry.enabled",
    true,
    "retry: { maxRetries: 1 }\n",
    'retry: {"maxRetries":1,"enabled":true}\n',
  ],
  ["a list in lines", "list", ["c"], "list:\n- a\n- b\nz: 1\n", 'list: ["c"]\nz: 1\n'],
  [
    "a text over several lines",
    "note",
    "short",
    "note: |\n  a: b\n\n  c\nz: 1\n",
    "note: short\nz: 1\n",
  ],
  ["a text that would be a number", "a", "1", "a: x\n", 'a: "1"\n'],
  ["a text with a hash", "a", "x # y", "a: x # y\n", 'a: "x # y" # y\n'],
  ["a scalar where a mapping should be", "a.b", 1, "a: 5\nz: 1\n", 'a: {"b":1}\nz: 1\n'],
  [
    "an alias, which lines cannot follow",
    "b.x",
    2,
    "a: &m { x: 1 }\nb: *m\n",
    'a: &m { x: 1 }\nb: {"x":2}\n',
  ],
];

describe("setting a value", () => {
  test.each(changes)("%s", (_title, name, value, before, after) => {
    expect(setInText(before, name, value)).toBe(after);
  });

  test("the same key in another mapping is left alone", () => {
    const before = "a:\n  enabled: true\nb:\n  c:\n    enabled: true\n  enabled: true\n";
    expect(setInText(before, "b.enabled", false)).toBe(
      "a:\n  enabled: true\nb:\n  c:\n    enabled: true\n  enabled: false\n",
    );
  });

  test("a file that is no mapping is refused", () => {
    expect(() => setInText("- a\n", "x", 1)).toThrow("not a mapping");
  });
});

describe("resetting a value", () => {
  test.each([
    ["one of several", "a.b", "a:\n  b: 1 # x\n  c: 2\n", "a:\n  c: 2\n"],
    ["the last one takes its mapping along", "a.b", "z: 1\na:\n  b: 1\n", "z: 1\n"],
    ["the full name", "a.b", "a.b: 1\nz: 1\n", "z: 1\n"],
    ["both spellings", "a.b", "a.b: 1\na:\n  b: 2\n", ""],
    ["what is not there", "a.b", "# mine\na:\n  c: 1\n", "# mine\na:\n  c: 1\n"],
    ["inside braces", "a.b", "a: { b: 1, c: 2 }\n", 'a: {"c":2}\n'],
    ["a value over several lines", "a", "a:\n  - 1\n  - 2\n# end\n", "# end\n"],
  ])("%s", (_title, name, before, after) => {
    expect(resetInText(before, name)).toBe(after);
  });

  test("what lines cannot express is refused rather than guessed", () => {
    expect(() => resetInText("? a\n: 1\nb: 2\n", "a")).toThrow("edit it by hand");
  });
});

test("any file that a person may have keeps its other values, and comes back after a reset", () => {
  const key = fc.constantFrom("a", "b", "c", "on", "x-y");
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()));
  const file = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)));
  const indent = fc.constantFrom(0, 2, 4);
  fc.assert(
    fc.property(file, indent, leaf, (fields, width, value) => {
      const text = Bun.YAML.stringify(fields, null, width) + "\n";
      const before = Bun.YAML.parse(text) as Record<string, unknown>;
      const after = Bun.YAML.parse(setInText(text, "a.b", value)) as Record<string, unknown>;
      const read = after["a.b"] ?? (after["a"] as Record<string, unknown>)["b"];
      expect(read).toEqual(value);
      const { a: _before, ...others } = before;
      const { a: _after, "a.b": _full, ...kept } = after;
      expect(kept).toEqual(others);
      const reset = Bun.YAML.parse(resetInText(setInText(text, "a.b", value), "a.b"));
      expect((reset as { a?: { b?: unknown } } | null)?.a?.b).toBeUndefined();
    }),
    { numRuns: 500, seed: 1 },
  );
});
