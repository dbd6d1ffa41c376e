/** Edits of the hashline kind on real files. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import { contentOf, numbered, shown } from "../../test/edits.ts";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { tools } from "../registry.ts";
import { lineHash } from "./hashline/legacy.ts";
import { edit, editTool } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (...lines: string[]) => bench.call(edit, { input: lines.join("\n") });
/** What a file of this content holds after these operations. */
async function after(content: string, ...operations: string[]): Promise<string> {
  const result = await call(shown(bench, "f", content), ...operations);
  if (result.isError) throw new Error(result.text);
  return contentOf(bench, "f");
}
/** What is said about operations that do not fit; the file must be untouched. */
async function refusal(content: string, ...operations: string[]): Promise<string> {
  const { text, isError } = await call(shown(bench, "f", content), ...operations);
  expect(isError).toBe(true);
  expect(contentOf(bench, "f")).toBe(content);
  return text;
}

describe("the tool", () => {
  test("EDIT-01 EDIT-05 EDIT-08 one required string; alone in its turn; done at once", () => {
    expect(edit.input).toMatchObject({
      required: ["input"],
      properties: { input: { type: "string" } },
    });
    expect(edit).toMatchObject({ name: "edit", tier: "write", concurrency: "exclusive" });
    expect(tools).toContain(edit);
  });

  test("EDIT-02 each form has a schema of its own and refuses the others' fields", () => {
    const calls = {
      hashline: { input: "¶a" },
      replace: { path: "a", edits: [{ old_text: "a", new_text: "b" }] },
      patch: { files: [{ path: "a", op: "delete" }] },
    };
    for (const [mode, own] of Object.entries(calls)) {
      const { input } = editTool({ mode: mode as "patch", payloadSign: "~" });
      expect(Value.Check(input, own)).toBe(true);
      for (const other of Object.values(calls)) {
        if (other !== own) expect(Value.Check(input, other)).toBe(false);
      }
    }
    const prompts = (["hashline", "replace", "patch", "apply_patch"] as const).map(
      (mode) => editTool({ mode, payloadSign: "~" }).prompt,
    );
    expect(new Set(prompts).size).toBe(4);
  });

  test("EDIT-16 the payload sign is one for the prompt and the parser", async () => {
    const tool = editTool({ mode: "hashline", payloadSign: "%" });
    expect(tool.prompt).toContain("%first new line");
    expect(tool.prompt).not.toContain("~");
    bench.editing = { ...bench.editing, payloadSign: "%" };
    const header = shown(bench, "f", "a\n");
    const refused = await bench.call(tool, { input: `${header}\n+ 1\n~x` });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("line 2:") });
    expect(await bench.call(tool, { input: `${header}\n+ 1\n%x` })).toMatchObject({
      isError: false,
    });
    expect(contentOf(bench, "f")).toBe("a\nx\n");
  });

  test("EDIT-45 the form of old transcripts is not advertised", () => {
    expect(edit.prompt).not.toMatch(/@\w|\d[a-z]{2}\b/);
  });
});

describe("sections", () => {
  test("EDIT-09 an input without a header is told how to begin", async () => {
    expect(await call("+ 1", "~x")).toMatchObject({
      isError: true,
      text: 'input must begin with "¶PATH#TAG" on the first non-blank line; got: + 1 Example: "¶src/foo.ts#9F3C" then edit ops.',
    });
    const header = shown(bench, "f", "a\n");
    expect(await call("", header, "- 1", "+ EOF", "~b")).toMatchObject({ isError: false });
    bench.file("g", "a\n");
    expect(await call("@g", `+ 1${lineHash("a", 1)}`, "~b")).toMatchObject({ isError: false });
    expect(contentOf(bench, "g")).toBe("a\nb\n");
  });

  test("EDIT-10 an empty header is refused", async () => {
    expect((await call("¶", "+ BOF", "~x")).text).toBe(
      'Input header "¶" is empty; provide a file path.',
    );
    expect((await call("@", "+ BOF", "~x")).text).toBe(
      'Input header "@" is empty; provide a file path.',
    );
  });

  test("EDIT-11 a path beside the input stands for the header", async () => {
    expect(await bench.call(edit, { path: "new", input: "+ BOF\n~x" })).toMatchObject({
      isError: false,
    });
    expect(contentOf(bench, "new")).toBe("x\n");
  });

  test("EDIT-12 EDIT-27 EDIT-28 wrapper and blank lines mean nothing, the end is the end", async () => {
    const plain = await after("a\nb\n", "- 1", "+ 2", "~c");
    const header = shown(bench, "f", "a\nb\n");
    const wrapped = ["*** Begin Patch", header, "", "- 1", "", "+ 2", "~c", "", "*** End Patch"];
    expect(await call(...wrapped, "garbage")).toMatchObject({ isError: false });
    expect(contentOf(bench, "f")).toBe(plain);
  });

  test("EDIT-13 an absolute path inside the folder is named from it", async () => {
    const header = shown(bench, "src/a.ts", "a\n").replace("¶", `¶${bench.cwd}/`);
    const { text } = await call(header, "= 1", "~b");
    expect(text).toMatch(/^¶src\/a\.ts#[0-9A-F]{4}\n/);
  });

  test("EDIT-29 an abort applies what came before it, and says so", async () => {
    const header = shown(bench, "f", "a\nb\nc\n");
    const { text } = await call(header, "- 1", "- 2", "*** Abort", "- 3");
    expect(contentOf(bench, "f")).toBe("c\n");
    expect(text).toContain('Warnings:\nThe input ends with "*** Abort"');
  });

  test("EDIT-30 sections of one file are one: all lines are those before the call", async () => {
    const header = shown(bench, "f", numbered(10));
    const { isError, details } = await call(header, "- 2..3", header, "+ 10", "~end");
    expect(isError).toBe(false);
    expect(contentOf(bench, "f")).toBe(
      numbered(10).replace("line 2\nline 3\n", "").concat("end\n"),
    );
    expect(details).not.toHaveProperty("perFileResults");
  });

  test("EDIT-86 two tags for one file are refused, both named", async () => {
    const header = shown(bench, "f", "a\n");
    const other = header.replace(/#.*/, "#0AB1");
    const { text, isError } = await call(header, "- 1", other, "+ 1", "~x");
    expect(isError).toBe(true);
    expect(text).toContain(header.slice(-5));
    expect(text).toContain("#0AB1");
    expect(contentOf(bench, "f")).toBe("a\n");
  });

  test("EDIT-49 EDIT-70 several files: all or none, one result", async () => {
    const [one, two] = [shown(bench, "one", "1\n"), shown(bench, "two", "2\n")];
    const bad = await call(one, "= 1", "~x", two, "= 9", "~x");
    expect(bad).toMatchObject({ isError: true });
    expect(contentOf(bench, "one") + contentOf(bench, "two")).toBe("1\n2\n");
    const good = await call(one, "= 1", "~x", two, "= 1", "~y", "¶new/three", "+ EOF", "~z");
    expect(good).toMatchObject({
      isError: false,
      details: {
        perFileResults: [
          { path: "one", op: "update", firstChangedLine: 1 },
          { path: "two", op: "update", diff: "@@ -1,1 +1,1 @@\n-2\n+y" },
          { path: "new/three", op: "create" },
        ],
      },
    });
    expect(good.content).toHaveLength(1);
    expect(contentOf(bench, "new/three")).toBe("z\n");
  });
});

describe("operations", () => {
  test("EDIT-14 EDIT-39 insert after and before, delete, replace", async () => {
    const abc = "a\nb\nc\n";
    expect(await after(abc, "+ 2", "~x", "~y")).toBe("a\nb\nx\ny\nc\n");
    expect(await after(abc, "< 2", "~x")).toBe("a\nx\nb\nc\n");
    expect(await after(abc, "- 1..2")).toBe("c\n");
    expect(await after(abc, "- 2")).toBe(await after(abc, "- 2..2"));
    expect(await after(abc, "= 2..3", "~x")).toBe("a\nx\n");
    expect(await after(abc, "= 2", "~x", "~y")).toBe("a\nx\ny\nc\n");
  });

  test("EDIT-15 payload is the line exactly", async () => {
    expect(await after("a\n", "+ 1", "~  x ", "~", "~~tilde", "~+ 1")).toBe(
      "a\n  x \n\n~tilde\n+ 1\n",
    );
  });

  test("EDIT-17 both ends, also of an empty file", async () => {
    expect(await after("a\n", "+ BOF", "~x")).toBe("x\na\n");
    expect(await after("a\n", "< BOF", "~x", "+ EOF", "~y")).toBe("x\na\ny\n");
    expect(await after("", "+ EOF", "~y", "+ BOF", "~x")).toBe("x\ny\n");
  });

  test("EDIT-24 a replacement without payload is one empty line", async () => {
    expect(await after("a\nb\nc\nd\n", "= 2..3")).toBe("a\n\nd\n");
  });

  test("EDIT-48 EDIT-50 places are those before the call; inserts at one place keep their order", async () => {
    expect(await after(numbered(12), "- 2..3", "+ 10", "~x")).toBe(
      numbered(12).replace("line 2\nline 3\n", "").replace("line 10\n", "line 10\nx\n"),
    );
    expect(
      await after("a\nb\n", "+ 1", "~1", "< 2", "~2", "+ 1", "~3", "< 1", "~4", "+ BOF", "~5"),
    ).toBe("5\n4\na\n1\n2\n3\nb\n");
  });

  test("EDIT-51 after the last line is the end of the file", async () => {
    for (const content of ["a\nb\n", "a\nb"]) {
      expect(await after(content, "+ 2", "~x")).toBe(await after(content, "+ EOF", "~x"));
    }
    expect(await after("a\nb", "+ 2", "~x")).toBe("a\nb\nx");
  });

  const RANGE_FAULTS = [
    ["- 6..4", "line 2: range 6..4 ends before it starts."],
    ["+ x", 'line 2: expected a line number such as "119"; got "x".'],
    ["+ 41th", 'line 2: expected a line number such as "119"; got "41th".'],
    ["+ 0", 'line 2: expected a line number such as "119"; got "0".'],
    ["- 4..", 'line 2: range must include exactly two line numbers separated by "..".'],
    ["- 1..2..3", 'line 2: range must include exactly two line numbers separated by "..".'],
  ] as const;
  test.each(RANGE_FAULTS)("EDIT-21 EDIT-84 %s is refused", async (operation, text) => {
    expect(await refusal(numbered(9), operation, "~x")).toBe(text);
  });

  test("EDIT-23 EDIT-25 EDIT-26 what is missing or unknown is told with its line", async () => {
    expect(await refusal("a\n", "+ 1", "- 1")).toBe(
      "line 2: + and < operations require at least one ~TEXT payload line.",
    );
    const stray = "payload line has no preceding +, <, or = operation.";
    expect(await refusal("a\n", "~x")).toBe(`line 2: ${stray}`);
    expect(await refusal("a\n", "- 1", "~x")).toBe(`line 3: ${stray}`);
    expect(await refusal("a\n", "foo")).toBe(
      "line 2: unrecognized op. Use < ANCHOR..., + ANCHOR..., - A..B..., = A..B...",
    );
    expect(await refusal("a\n", "+ 1", "~x", "", "~y")).toContain("blank line inside the payload");
  });

  test("ranges that overlap are refused", async () => {
    expect(await refusal(numbered(9), "- 2..5", "= 5..6", "~x")).toContain(
      "line 3: its range overlaps",
    );
  });

  test("EDIT-53 EDIT-47 a line past the end is refused, and all with it", async () => {
    expect(await refusal(numbered(5), "= 1", "~x", "- 99")).toBe(
      "Line 99 does not exist (file has 5 lines)",
    );
  });

  test("EDIT-52 a missing file: ends create it, lines do not", async () => {
    expect(await call("¶new/a.txt", "+ BOF", "~x", "+ EOF", "~y")).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^¶new\/a\.txt#[0-9A-F]{4}\nCreated new\/a\.txt$/),
      details: { op: "create" },
    });
    expect(contentOf(bench, "new/a.txt")).toBe("x\ny\n");
    expect(await call("¶none.txt#9F3C", "- 1")).toMatchObject({
      isError: true,
      text: "File not found: none.txt",
    });
  });

  test("EDIT-44 lines need a tag, ends and new files do not", async () => {
    bench.file("f", "a\n");
    expect((await call("¶f", "- 1")).text).toContain("has no tag");
    expect(contentOf(bench, "f")).toBe("a\n");
    expect(await call("¶f", "+ EOF", "~x")).toMatchObject({ isError: false });
    expect(contentOf(bench, "f")).toBe("a\nx\n");
  });
});

describe("what is kept", () => {
  const KEPT = [
    ["\ufeffa\r\nb\r\nc\r\n", ["= 2", "~x", "~y"], "\ufeffa\r\nx\r\ny\r\nc\r\n"],
    ["a\r\nb\nc\r\n", ["= 2", "~x"], "a\r\nx\nc\r\n"],
    ["a\r\nb\nc\r\n", ["+ 1", "~x"], "a\r\nx\r\nb\nc\r\n"],
    ["a\nb", ["= 2", "~x"], "a\nx"],
    ["a\nb", ["- 2"], "a"],
    ["a\r\nb", ["+ 2", "~x"], "a\r\nb\r\nx"],
    ["a\rb\nc\n", ["= 2", "~x"], "a\rb\nx\n"],
    ["\u2028é\n😀\n", ["+ 1", "~x"], "\u2028é\nx\n😀\n"],
    ["\n\n\n", ["= 2", "~x"], "\nx\n\n"],
    ["a \t\nb\n", ["= 2", "~x"], "a \t\nx\n"],
  ] as const;
  test.each(KEPT)(
    "EDIT-57 %j is byte-exact outside of the edit",
    async (content, operations, expected) => {
      expect(await after(content, ...operations)).toBe(expected);
    },
  );

  const NO_TEXT = [
    ["UTF-16", Buffer.from("\ufeffa\r\nb", "utf16le")],
    ["Latin-1", Buffer.from("caf\xe9\n", "latin1")],
    ["binary", Buffer.from("a\0b\n")],
  ] as const;
  test.each(NO_TEXT)("%s is refused, not changed", async (_name, bytes) => {
    const path = bench.file("f", bytes);
    const { isError, text } = await call("¶f", "+ EOF", "~x");
    expect(isError).toBe(true);
    expect(text).toContain("is not UTF-8 text");
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test("half a character is refused", async () => {
    expect(await refusal("a\n", "+ 1", "~\ud83d")).toContain("half of a character");
  });

  test("EDIT-54 a generated file is refused, unless the setting allows it", async () => {
    const content = "// Code generated by tool. DO NOT EDIT.\nx\n";
    expect(await refusal(content, "= 2", "~y")).toContain("is a generated file");
    bench.editing = { ...bench.editing, blockAutoGenerated: false };
    expect(await after(content, "= 2", "~y")).toContain("\ny\n");
  });

  test("EDIT-06 an abort before the first write leaves everything, later it changes nothing", async () => {
    const header = shown(bench, "f", "a\n");
    const input = `${header}\n= 1\n~b`;
    await expect(bench.call(edit, { input }, AbortSignal.abort())).rejects.toThrow();
    expect(contentOf(bench, "f")).toBe("a\n");
    const stop = new AbortController();
    const syntax = {
      broken() {
        stop.abort();
        return Promise.resolve([]);
      },
    };
    bench.editing = { ...bench.editing, syntax };
    const two = `${input}\n¶new\n+ BOF\n~x`;
    expect(await bench.call(edit, { input: two }, stop.signal)).toMatchObject({ isError: false });
    expect(contentOf(bench, "f") + contentOf(bench, "new")).toBe("b\nx\n");
  });
});

describe("slips", () => {
  test("EDIT-46 numbers copied into the payload are removed, with a warning", async () => {
    const header = shown(bench, "f", numbered(9));
    const { text } = await call(header, "= 4..5", "~4:line four", "~5:line 5", "~6:extra");
    expect(contentOf(bench, "f")).toContain("line 3\nline four\nline 5\nextra\nline 6\n");
    expect(text).toContain("Warnings:\nLine numbers copied into the payload were removed.");
    const second = shown(bench, "g", "a\nb\nc\n");
    await call(second, "+ EOF", `~${second}`, "~*1:a", "~2:b");
    expect(contentOf(bench, "g")).toBe("a\nb\nc\na\nb\n");
    const third = shown(bench, "h", "a: 1\nb: 2\n");
    await call(third, "+ EOF", "~1: one", "~2: two");
    expect(contentOf(bench, "h")).toBe("a: 1\nb: 2\n1: one\n2: two\n");
  });

  test("EDIT-58 a replacement that repeats its neighbours does not double them", async () => {
    const header = shown(bench, "f", numbered(9));
    const { text } = await call(header, "= 5..6", "~line 4", "~new", "~line 7");
    expect(contentOf(bench, "f")).toBe(numbered(9).replace("line 5\nline 6\n", "new\n"));
    expect(text).toContain("Warnings:\nline 2: 2 payload lines repeated the neighbouring lines");
    expect(await after("f() {\n}\n\nx();\n", "= 4", "~}", "~y();")).toBe("f() {\n}\n\n}\ny();\n");
  });

  test("EDIT-59 inserts that repeat their neighbours are repaired where the setting says so", async () => {
    const operations = ["+ 4", "~line 4", "~new"];
    const doubled = numbered(9).replace("line 4\n", "line 4\nline 4\nnew\n");
    expect(await after(numbered(9), ...operations)).toBe(doubled);
    bench.editing = { ...bench.editing, hashlineAutoDropPureInsertDuplicates: true };
    expect(await after(numbered(9), ...operations)).toBe(
      numbered(9).replace("line 4\n", "line 4\nnew\n"),
    );
  });

  test("EDIT-56 EDIT-77 an edit that changes nothing is refused, ever more clearly", async () => {
    const header = shown(bench, "f", "a\nb\n");
    const again = async () => (await call(header, "= 1", "~a")).text;
    const first = await again();
    expect(first).toBe("Edits to f resulted in no changes being made.");
    const [second, third] = [await again(), await again()];
    expect(second.length).toBeGreaterThan(first.length);
    expect(third).toContain("STOP");
    await call(header, "= 1", "~x");
    expect(await call(shown(bench, "f", "a\nb\n"), "= 1", "~a")).toMatchObject({ text: first });
  });
});

describe("results", () => {
  test("EDIT-67 EDIT-68 header and preview; what is too long to show is only named", async () => {
    const header = shown(bench, "f", numbered(9));
    const { text } = await call(header, "= 4..5", "~new");
    const lines = text.split("\n");
    expect(lines[0]).toMatch(/^¶f#[0-9A-F]{4}$/);
    expect(lines.slice(1)).toEqual([" 3:line 3", "-4:line 4", "-5:line 5", "+4:new", " 5:line 6"]);
    const long = await call(shown(bench, "g", numbered(200)), "- 1..100");
    expect(long.text).toMatch(/^¶g#[0-9A-F]{4}\nUpdated g$/);
  });

  test("EDIT-38 the tag of a result serves for the next edit", async () => {
    let header = shown(bench, "f", "a\n");
    for (const text of ["b", "c", "d"]) {
      const result = await call(header, "= 1", `~${text}`);
      header = result.text.split("\n")[0]!;
      expect(contentOf(bench, "f")).toBe(`${text}\n`);
    }
  });

  test("the diff is one that patch programs take", async () => {
    const before = numbered(30);
    const header = shown(bench, "f", before.trimEnd());
    const { details } = await call(header, "- 2", "= 20", "~x", "~y", "+ EOF", "~end");
    const { diff, firstChangedLine } = details as { diff: string; firstChangedLine: number };
    expect(firstChangedLine).toBe(2);
    writeFileSync(join(bench.cwd, "g"), before.trimEnd());
    const patch = `--- g\n+++ g\n${diff}\n`;
    const run = Bun.spawnSync(["git", "apply", "--unidiff-zero", "-p0", "-"], {
      cwd: bench.cwd,
      stdin: Buffer.from(patch),
      env: { PATH: process.env["PATH"], GIT_CEILING_DIRECTORIES: "/" },
    });
    expect(run.stderr.toString()).toBe("");
    expect(contentOf(bench, "g")).toBe(contentOf(bench, "f"));
  });

  test("what breaks the syntax is told", async () => {
    const syntax = {
      broken: (_path: string, before: string, after: string) =>
        Promise.resolve(
          before.includes("{") && !after.includes("{") ? ["f: a bracket is open."] : [],
        ),
    };
    bench.editing = { ...bench.editing, syntax };
    expect((await call(shown(bench, "f", "{\n}\n"), "- 1")).text).toEndWith(
      "Warnings:\nf: a bracket is open.",
    );
  });

  test("a file that somebody creates at the same moment is not overwritten", async () => {
    const syntax = { broken: () => Promise.resolve([]) };
    bench.editing = {
      ...bench.editing,
      syntax,
      hunkGate: {
        review(hunks) {
          bench.file("new", "theirs\n");
          return Promise.resolve(hunks.map(() => ({ kind: "accept" as const })));
        },
      },
    };
    const header = shown(bench, "f", "a\n");
    const { text, isError } = await call(header, "= 1", "~b", "¶new", "+ BOF", "~mine");
    expect(isError).toBe(true);
    expect(text).toContain("new was changed by somebody else");
    expect(text).toEndWith("Nothing was written.");
    expect(contentOf(bench, "f")).toBe("a\n");
    expect(contentOf(bench, "new")).toBe("theirs\n");
    expect(existsSync(join(bench.cwd, "new"))).toBe(true);
  });
});

describe("the person decides about each place", () => {
  const decideBy = (kinds: readonly ("accept" | "reject" | "amend")[]) => {
    bench.editing = {
      ...bench.editing,
      hunkGate: {
        review: (hunks) =>
          Promise.resolve(
            hunks.map((_, index) => {
              const kind = kinds[index]!;
              return kind === "amend" ? { kind, after: ["theirs"] } : { kind };
            }),
          ),
      },
    };
  };

  test("what they reject or change is applied so, and the model hears it", async () => {
    decideBy(["accept", "reject", "amend"]);
    const header = shown(bench, "f", numbered(9));
    const { text } = await call(header, "= 2", "~two", "= 5", "~five", "= 8", "~eight");
    expect(contentOf(bench, "f")).toBe(
      numbered(9).replace("line 2", "two").replace("line 8", "theirs"),
    );
    expect(text).toContain("Not applied as sent:\nf:5: the person rejected this part");
    expect(text).toContain("f:8: the person changed your text to:\ntheirs");
  });

  test("all rejected: nothing is written", async () => {
    decideBy(["reject"]);
    expect(await refusal("a\n", "= 1", "~b")).toContain("rejected the whole edit");
  });
});

describe("while the model is still writing", () => {
  test("a preview grows with the input and changes nothing", async () => {
    const header = shown(bench, "f", numbered(9));
    const input = `${header}\n= 2\n~two\n+ 8\n~after eight\n`;
    const seen: string[] = [];
    for (let length = 0; length <= input.length; length++) {
      const [first] = await bench.preview(input.slice(0, length));
      const diff = first && "diff" in first ? first.diff : "";
      if (diff !== seen.at(-1)) seen.push(diff);
    }
    expect(seen.map((diff) => diff.match(/^[+-].*$/gm))).toEqual([
      null,
      ["-line 2", "+"],
      ["-line 2", "+two"],
      ["-line 2", "+two", "+after eight"],
    ]);
    expect(contentOf(bench, "f")).toBe(numbered(9));
  });

  test("what is certain to fail is told", async () => {
    expect(await bench.preview("¶none#AAAA\n- 3\n")).toEqual([
      { path: "none", problem: "File not found: none" },
    ]);
  });
});
