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
