import { expect, test } from "bun:test";
import { fillTemplate } from "./template.ts";

test("SLASH-17 positions, and nothing for those that are missing", () => {
  expect(fillTemplate("$1-$2-$3", "a b")).toBe("a-b-");
  expect(fillTemplate("$1 and $10", "a b c d e f g h i j")).toBe("a and j");
  expect(fillTemplate("$1", '"two words"')).toBe("two words");
});

test("SLASH-18 slices count from 1", () => {
  expect(fillTemplate("$@[2]", "a b c d")).toBe("b c d");
  expect(fillTemplate("$@[2:2]", "a b c d")).toBe("b c");
  expect(fillTemplate("<$@[9]>", "a b")).toBe("<>");
});

test("SLASH-19 $ARGUMENTS and $@ are all of it", () => {
  expect(fillTemplate("<$ARGUMENTS> <$@>", "a b c")).toBe("<a b c> <a b c>");
  expect(fillTemplate("<$@>", "don't\n  fold")).toBe("<don't\n  fold>");
});

test("SLASH-20 args, ARGUMENTS and arguments are rendered, other marks stay", () => {
  expect(fillTemplate("{{ARGUMENTS}}|{{ arguments }}|{{args}}", "a b")).toBe("a b|a b|a b");
  expect(fillTemplate("{{args.[1]}} {{args.0}}", "a b")).toBe("b a");
  expect(fillTemplate("{{#if ARGUMENTS}}on {{ARGUMENTS}}{{else}}all{{/if}}", "x")).toBe("on x");
  expect(fillTemplate("{{#if ARGUMENTS}}on {{ARGUMENTS}}{{else}}all{{/if}}", "")).toBe("all");
  expect(fillTemplate("key: ${{ github.token }} $1", "a")).toBe("key: ${{ github.token }} a");
});

test("SLASH-21 arguments that no placeholder takes are added at the end", () => {
  expect(fillTemplate("Review", "x y")).toBe("Review\n\nx y");
  expect(fillTemplate("Review", "  ")).toBe("Review");
  expect(fillTemplate("Review $1", "x y")).toBe("Review x");
});

test("SLASH-23 what is put in is data", () => {
  expect(fillTemplate("<$1> <$@>", `'$2 {{ARGUMENTS}}' $& $1`)).toBe(
    "<$2 {{ARGUMENTS}}> <'$2 {{ARGUMENTS}}' $& $1>",
  );
  expect(fillTemplate("Do", "$1 {{x}}")).toBe("Do\n\n$1 {{x}}");
  expect(fillTemplate("{{#if args}}$1{{/if}}", "{{/if}}")).toBe("{{/if}}");
});
