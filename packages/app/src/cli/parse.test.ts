import { expect, test } from "bun:test";
import { parse } from "./parse.ts";

test("a subcommand has words and flags of its own", () => {
  expect(parse(["models", "find", "opus", "--json"])).toMatchObject({
    command: "models",
    messages: ["find", "opus"],
    options: { json: "" },
  });
  expect(parse(["models", "--cwd", "/x", "--all"])).toMatchObject({
    cwd: "/x",
    options: { all: "" },
  });
});

test("its flags are unknown elsewhere, unknown ones get a guess from both lists", () => {
  expect(() => parse(["--json", "hi"])).toThrow("unknown flag: --json");
  expect(() => parse(["models", "--jsn"])).toThrow("Did you mean --json?");
  expect(() => parse(["models", "--modle"])).toThrow("Did you mean --model?");
});

test("words that a subcommand does not take are refused", () => {
  expect(() => parse(["demo", "now"])).toThrow('omp demo does not take "now"');
  expect(parse(["demo", "now", "--help"]).isHelp).toBe(true);
});

test("the value of --list-models may be left out", () => {
  expect(parse(["--list-models"])).toMatchObject({ command: "models", messages: [] });
  expect(parse(["--list-models", "opus"])).toMatchObject({ messages: ["find", "opus"] });
  expect(parse(["--list-models=opus 4"])).toMatchObject({ messages: ["find", "opus 4"] });
  expect(parse(["--list-models", "--cwd", "/x"])).toMatchObject({ messages: [], cwd: "/x" });
  expect(parse(["--list-models", "--json"])).toMatchObject({ options: { json: "" } });
});

test("times are seconds, or hours, minutes and seconds", () => {
  const times = { "90": 90, "90s": 90, "15m": 900, "1h30m": 5400, "1h2m3s": 3723, "2h": 7200 };
  for (const [text, seconds] of Object.entries(times)) {
    expect(parse(["--max-time", text]).maxTimeMs).toBe(seconds * 1000);
  }
});

test("flags that may be repeated keep their order", () => {
  expect(parse(["--config", "a", "--add-dir", "x", "--config=b", "--add-dir", "y"])).toMatchObject({
    configFiles: ["a", "b"],
    addedFolders: ["x", "y"],
  });
});

test("flags that stand for settings and variables", () => {
  expect(parse(["--no-lsp", "--no-pty", "--print-thoughts", "--hide-thinking"])).toMatchObject({
    settings: { "lsp.enabled": false, hideThinkingBlock: true },
    variables: { PI_NO_PTY: "1" },
    printsThoughts: false,
  });
});

test("limits and schemas of a command line are not for RPC", () => {
  expect(() => parse(["--mode", "rpc", "--max-time", "5"])).toThrow("--max-time");
  expect(parse(["--mode", "json", "--max-time", "5"]).maxTimeMs).toBe(5000);
});

test("SOP-29 after -r a path or what ids begin with is the session; other words are the prompt", () => {
  const sessions = [
    "019a",
    "019ABCDE-0000",
    "2026-01-02T03-04-05-678Z_01",
    "deadbeef0",
    "./x",
    "x.jsonl",
  ];
  for (const word of sessions)
    expect(parse(["-r", word, "go"])).toMatchObject({ resume: word, messages: ["go"] });
  for (const word of [
    "fix it",
    "fix",
    "add",
    "face",
    "19",
    "why?",
    "a1-fix",
    "and/or not",
    "12:30",
  ])
    expect(parse(["--resume", word])).toMatchObject({ resume: "", messages: [word] });
  expect(parse(["--session=my session"]).resume).toBe("my session");
  expect(parse(["-r", "-p", "go"])).toMatchObject({ resume: "", isPrint: true, messages: ["go"] });
});

test("CLI-13 -c takes a whole id for --resume and nothing else", () => {
  const id = "019abcde-0000-7000-8000-000000000001";
  expect(parse(["-c", id, "go"])).toMatchObject({
    resume: id,
    isContinue: false,
    messages: ["go"],
  });
  expect(parse(["-c", "fedcba9876543210"]).resume).toBe("fedcba9876543210");
  expect(parse(["-pc", "019abcde"])).toMatchObject({ isContinue: true, messages: ["019abcde"] });
  expect(parse(["--no-title", "--fork", id, "--yes"])).toMatchObject({
    fork: id,
    isTitleless: true,
    settings: { "session.resumeInPlace": true },
  });
});
