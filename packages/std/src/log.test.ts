/** The log's file: when it appears, what is in it, who can read it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "./clock.ts";
import { logFile } from "./log-file.ts";
import { createLog, type Log } from "./log.ts";

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "omp-log-"));
  directory = join(root, "state", "logs");
});
afterEach(() => rmSync(root, { recursive: true }));

const clock = { ...systemClock, now: () => Date.UTC(2031, 4, 6, 7, 8, 9) };

function linesOf(log: Log): Record<string, unknown>[] {
  return readFileSync(log.file!, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
}

describe("log", () => {
  test("nothing is created before the first line", () => {
    const log = createLog();
    log.open(logFile({ directory, clock }));
    log.debug("below the level");
    expect(log.file).toBeUndefined();
    expect(existsSync(directory)).toBe(false);
  });

  test("lines are JSON with time, level, event and fields", () => {
    const log = createLog();
    log.open(logFile({ directory, clock }));
    log.info("started", { mode: "print", level: "mine" });
    log.error("failed", { error: new Error("why") });
    expect(log.file).toBe(join(directory, `omp.2031-05-06.${process.pid}.log`));
    const time = "2031-05-06T07:08:09.000Z";
    const [first, second] = linesOf(log);
    expect(first).toEqual({ time, level: "info", event: "started", mode: "print" });
    expect(second).toMatchObject({ level: "error", event: "failed", error: { message: "why" } });
  });

  test("only the owner can read file and folder, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const log = createLog();
      log.open(logFile({ directory, clock }));
      log.info("x");
      expect(statSync(log.file!).mode & 0o777).toBe(0o600);
      expect(statSync(directory).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  test("early lines wait for open, at most 200 of them", () => {
    const log = createLog();
    for (let count = 0; count < 250; count++) log.info("early", { count });
    log.debug("too fine");
    log.open(logFile({ directory, clock }));
    const counts = linesOf(log).map((line) => line["count"]);
    expect(counts).toHaveLength(199);
    expect(counts.at(-1)).toBe(249);
  });

  test("debug lines are written when asked for", () => {
    const log = createLog();
    log.open(logFile({ directory, clock, level: "debug" }));
    log.debug("fine");
    expect(linesOf(log)[0]).toMatchObject({ level: "debug", event: "fine" });
  });

  test("a secret that became known later is not written, even from early lines", () => {
    const log = createLog();
    const fields = { url: "the-secret-value", note: "x" };
    log.warn("early the-secret-value", fields);
    fields.note = "changed";
    log.addSecret("the-secret-value");
    log.open(logFile({ directory, clock }));
    expect(linesOf(log)).toEqual([
      {
        time: expect.any(String),
        level: "warn",
        event: "early [redacted]",
        url: "[redacted]",
        note: "x",
      },
    ]);
  });

  test("what it knows to be secret can be taken out of other texts too", () => {
    const log = createLog();
    log.addSecret("the-secret-value");
    expect(log.redactText("a the-secret-value b")).toBe("a [redacted] b");
  });

  test("a log that cannot be written never throws, and can be opened elsewhere", () => {
    const log = createLog();
    writeFileSync(join(root, "file"), "");
    log.open(logFile({ directory: join(root, "file", "logs"), clock }));
    log.error("lost");
    log.error("lost", {
      get trap() {
        throw new Error("getter");
      },
    });
    expect(log.file).toBeUndefined();
    log.open(logFile({ directory, clock }));
    log.error("kept");
    expect(linesOf(log)).toMatchObject([{ event: "kept" }]);
  });
});
