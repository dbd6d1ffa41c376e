/** Files that change behind the model's back: edits are carried over with proof, or refused. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, numbered, shown } from "../../test/edits.ts";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { createSnapshots } from "../index.ts";
import { lineHash } from "./hashline/legacy.ts";
import { edit } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (...lines: string[]) => bench.call(edit, { input: lines.join("\n") });
const outside = (name: string, content: string) => writeFileSync(join(bench.cwd, name), content);
const TWENTY = numbered(20);

describe("tags", () => {
  test("EDIT-40 four digits of what can be seen of the whole text", () => {
    const { record } = createSnapshots();
    const tag = record("/f", "a\nb\n");
    expect(tag).toMatch(/^[0-9A-F]{4}$/);
    for (const same of ["a\r\nb\r\n", "\ufeffa\nb\n", "a  \nb\t\n"])
      expect(record("/f", same)).toBe(tag);
    for (const other of ["a\nc\n", "a\nb", "a\n b\n", ""])
      expect(record("/f", other)).not.toBe(tag);
    expect(record("/g", "a\nb\n")).toBe(tag);
  });

  test("a tag never changes its meaning, even where two texts ask for the same one", () => {
    const snapshots = createSnapshots({ hash: () => "FFFF" });
    expect(snapshots.record("/f", "a")).toBe("FFFF");
    expect(snapshots.record("/f", "b")).toBe("0000");
    expect(snapshots.record("/f", "a")).toBe("FFFF");
    expect(snapshots.find("/f", "0000")).toBe("b");
    expect(snapshots.find("/g", "FFFF")).toBeUndefined();
    expect(snapshots.isOf("/f", "FFFF", "a \r\n")).toBe(false);
    expect(snapshots.isOf("/f", "FFFF", "a \r")).toBe(true);
  });

  test("memory has an end: the least recently shown goes first, a huge text is not kept", () => {
    const snapshots = createSnapshots({ maxTotal: 100, maxText: 60 });
    const [one, two] = [
      snapshots.record("/1", "x".repeat(50)),
      snapshots.record("/2", "y".repeat(50)),
    ];
    snapshots.record("/3", "z".repeat(10));
    expect(snapshots.find("/1", one)).toBeUndefined();
    expect(snapshots.find("/2", two)).toBeDefined();
    const huge = snapshots.record("/4", "w".repeat(61));
    expect(snapshots.find("/4", huge)).toBeUndefined();
    expect(snapshots.isOf("/4", huge, "w".repeat(61))).toBe(true);
    expect(snapshots.isOf("/1", one, "x".repeat(50))).toBe(true);
  });

  test("a file too large to be kept is edited as long as it is what was shown", async () => {
    bench.snapshots = createSnapshots({ maxText: 10 });
    const header = shown(bench, "f", TWENTY);
    outside("f", TWENTY.replace("line 9", "other"));
    expect(await call(header, "= 2", "~two")).toMatchObject({ isError: true });
    outside("f", TWENTY);
    expect(await call(header, "= 2", "~two")).toMatchObject({ isError: false });
  });
});

describe("recovery", () => {
  test("EDIT-60 a distant change of somebody else is kept, with a warning", async () => {
    const header = shown(bench, "f", TWENTY);
    outside("f", `new 1\nnew 2\n${TWENTY.replace("line 18", "theirs")}`);
    const { text, isError } = await call(header, "= 9..10", "~mine", "+ EOF", "~end");
    expect(isError).toBe(false);
    expect(contentOf(bench, "f")).toBe(
      `new 1\nnew 2\n${TWENTY.replace("line 18", "theirs").replace("line 9\nline 10", "mine")}end\n`,
    );
    expect(text).toContain("Warnings:\nf had changed since it was shown");
  });

  test("EDIT-61 EDIT-43 EDIT-62 a change of the very line is refused, with the lines as they are", async () => {
    const header = shown(bench, "f", TWENTY);
    const theirs = TWENTY.replace("line 9\n", "theirs\n");
    outside("f", theirs);
    const { text, isError, details } = await call(header, "= 9", "~mine");
    expect(isError).toBe(true);
    expect(contentOf(bench, "f")).toBe(theirs);
    const [reason, fresh, ...rows] = text.split("\n");
    expect(reason).toContain(`is not what it was when it was shown (${header.slice(2)})`);
    expect(reason).toContain("Read the file again");
    expect(rows).toEqual(["7:line 7", "8:line 8", "*9:theirs", "10:line 10", "11:line 11"]);
    expect((details as { display: string }).display).toContain(">  9 | theirs");
    expect(await call(fresh!, "= 9", "~mine")).toMatchObject({ isError: false });
    expect(contentOf(bench, "f")).toBe(TWENTY.replace("line 9\n", "mine\n"));
  });

  test("EDIT-43 a tag that nobody gave is refused, whatever the file holds", async () => {
    const real = createSnapshots().record("/f", TWENTY);
    bench.file("f", TWENTY);
    const { text, isError } = await call(`¶f#${real}`, "= 9", "~mine");
    expect(isError).toBe(true);
    expect(text).toContain(
      `The tag #${real} is not known for f in this session: read the file first.`,
    );
    expect(text).toContain(`\n¶f#${real}\n7:line 7\n`);
    expect(contentOf(bench, "f")).toBe(TWENTY);
  });

  test("EDIT-35 a change inside a range is never swallowed", async () => {
    const header = shown(bench, "f", TWENTY);
    const theirs = TWENTY.replace("line 9\n", "theirs\n");
    outside("f", theirs);
    expect(await call(header, "- 7..11")).toMatchObject({ isError: true });
    const anchored = `- 7${lineHash("line 7", 7)}..11${lineHash("line 11", 11)}`;
    expect(await call("@f", anchored)).toMatchObject({ isError: true });
    bench.snapshots = createSnapshots();
    const { text } = await call("@f", anchored);
    expect(text).toContain("Read f first");
    expect(contentOf(bench, "f")).toBe(theirs);
  });

  test("EDIT-63 a wrong range is a wrong range, also where the file has changed", async () => {
    const header = shown(bench, "f", TWENTY);
    outside("f", `${TWENTY}more\n`);
    expect((await call(header, "- 99")).text).toBe("Line 99 does not exist (file has 20 lines)");
    expect((await call(header, "- 6..4")).text).toBe("line 2: range 6..4 ends before it starts.");
  });

  test("EDIT-85 two texts with one tag: the lines decide", async () => {
    bench.snapshots = createSnapshots({ hash: () => "AAAA" });
    const header = shown(bench, "f", TWENTY);
    expect(header).toBe("¶f#AAAA");
    outside("f", TWENTY.replace("line 9\n", "theirs\n"));
    expect(await call(header, "= 9", "~mine")).toMatchObject({ isError: true });
    const { text } = await call(header, "= 18", "~mine");
    expect(text).toContain("Warnings:");
    expect(contentOf(bench, "f")).toBe(
      TWENTY.replace("line 9\n", "theirs\n").replace("line 18", "mine"),
    );
  });

  test("where the lines are there twice, nobody guesses", async () => {
    const block = "a\nb\nc\nd\ne\nf\ng\n";
    const header = shown(bench, "f", block);
    outside("f", block + block);
    expect(await call(header, "= 4", "~x")).toMatchObject({ isError: true });
    expect(contentOf(bench, "f")).toBe(block + block);
  });

  test("line ends and blanks at line ends are no change", async () => {
    const header = shown(bench, "f", TWENTY);
    outside("f", TWENTY.replaceAll("\n", " \r\n"));
    const { text, isError } = await call(header, "= 9", "~mine");
    expect(isError).toBe(false);
    expect(text).not.toContain("Warnings:");
    expect(contentOf(bench, "f")).toBe(TWENTY.replaceAll("\n", " \r\n").replace("line 9 ", "mine"));
  });
});

describe("what stays addressable", () => {
  test("EDIT-42 the last four states of a file", async () => {
    const header = shown(bench, "f", TWENTY);
    let now = header;
    const change = async (line: number) => {
      now = (await call(now, `= ${line}`, `~changed ${line}`)).text.split("\n")[0]!;
    };
    await change(1);
    const merged = await call(header, "= 18", "~eighteen");
    expect(merged.text).toContain("Warnings:");
    expect(contentOf(bench, "f")).toContain("changed 1\n");
    expect(contentOf(bench, "f")).toContain("eighteen\n");
    now = merged.text.split("\n")[0]!;
    await change(2);
    await change(3);
    const { text, isError } = await call(header, "= 10", "~ten");
    expect(isError).toBe(true);
    expect(text).toContain("is not known for f");
  });

  test("EDIT-64 the least recently shown path goes first", async () => {
    bench.snapshots = createSnapshots({ maxPaths: 30 });
    const headers = Array.from({ length: 31 }, (_, index) => shown(bench, `f${index}`, TWENTY));
    for (const index of [1, 0]) {
      outside(`f${index}`, TWENTY.replace("line 1\n", "theirs\n"));
      const result = await call(headers[index]!, "= 9", "~mine");
      expect(result.isError).toBe(index === 0);
    }
  });

  test("EDIT-65 another view adds a state and does not replace the older one", async () => {
    const first = shown(bench, "f", TWENTY);
    const second = shown(bench, "f", TWENTY.replace("line 3\n", "theirs\n"));
    expect((await call(second, "= 9", "~nine")).text).not.toContain("Warnings:");
    expect((await call(first, "= 15", "~fifteen")).text).toContain("Warnings:");
    expect(contentOf(bench, "f")).toBe(
      TWENTY.replace("line 3\n", "theirs\n")
        .replace("line 9\n", "nine\n")
        .replace("line 15", "fifteen"),
    );
  });

  test("EDIT-66 the text after an edit is the state of its new tag", async () => {
    const { text } = await call(shown(bench, "f", TWENTY), "= 9", "~nine");
    outside("f", contentOf(bench, "f").replace("line 1\n", "theirs\n"));
    const again = await call(text.split("\n")[0]!, "= 15", "~fifteen");
    expect(again.text).toContain("Warnings:");
    expect(contentOf(bench, "f")).toContain("theirs\n");
  });
});

describe("sections of old transcripts", () => {
  const anchor = (line: number, text = `line ${line}`) => `${line}${lineHash(text, line)}`;

  test("EDIT-45 EDIT-18 anchors with hashes apply; both forms do not mix", async () => {
    shown(bench, "f", TWENTY);
    expect(await call("@f", `+ ${anchor(4)}`, "~x", `- ${anchor(9)}..${anchor(9)}`)).toMatchObject({
      isError: false,
    });
    expect(contentOf(bench, "f")).toBe(
      TWENTY.replace("line 4\n", "line 4\nx\n").replace("line 9\n", ""),
    );
    expect((await call("@f", "+ 41", "~x")).text).toBe(
      'line 2: expected a full anchor such as "119sr"; got "41".',
    );
    expect((await call("¶f#AAAA", "+ 41th", "~x")).text).toContain("line 2:");
  });

  const FAULTS = [
    ["- 4fb", "line 2: explicit ranges are required for delete/replace"],
    ["- 4fb..5dm..6qx", 'line 2: range must include exactly two full anchors separated by "..".'],
    ["- 6qx..4fb", "line 2: range 6qx..4fb ends before it starts."],
    ["- 4fb..4qx", "line 2: range 4fb..4qx uses two different hashes for the same line."],
  ] as const;
  test.each(FAULTS)("EDIT-19 EDIT-20 EDIT-21 EDIT-22 %s is refused", async (operation, text) => {
    bench.file("f", TWENTY);
    expect((await call("@f", operation)).text).toStartWith(text);
    expect(contentOf(bench, "f")).toBe(TWENTY);
  });

  test("EDIT-32 EDIT-33 EDIT-34 hashes are stable, and know what a line is", () => {
    expect(["const a = 1;", "}", "", "été"].map((text) => lineHash(text, 7))).toEqual(GOLDEN);
    expect(lineHash("x = 1  \t\r", 3)).toBe(lineHash("x = 1", 9));
    expect(lineHash("}", 1)).not.toBe(lineHash("}", 2));
  });

  test("a line that changed is refused with the lines as they are", async () => {
    shown(bench, "f", TWENTY);
    outside("f", TWENTY.replace("line 9\n", "theirs\n"));
    const { text } = await call("@f", `- ${anchor(9)}..${anchor(9)}`);
    expect(text).toContain("\n*9:theirs\n");
    expect(text).toMatch(/^¶f#/m);
  });
});

/** Written down once; they must never change. */
const GOLDEN = ["hj", "bb", "md", "ds"];
