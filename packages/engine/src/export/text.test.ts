/** Markdown and plain text of a branch: everything is there, and nothing can break out. */

import type { SessionEntry } from "@omp/session";
import { expect, test } from "bun:test";
import { Lexer } from "marked";
import { exportData } from "./data.ts";
import { dumpText } from "./dump.ts";
import { markdownParts } from "./markdown.ts";

const timestamp = "2026-11-15T09:30:00.000Z";
const header = { type: "session", version: 3, id: "s1", timestamp, cwd: "/p`q" } as const;

function branchOf(...entries: readonly object[]): SessionEntry[] {
  return entries.map((entry, index) => ({
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
    timestamp,
    ...entry,
  })) as SessionEntry[];
}

const message = (of: object) => ({ type: "message", message: of });
const facts = {
  systemPrompt: "PROMPT-MARK",
  model: { provider: "house", id: "MODEL-MARK" },
  thinkingLevel: "LEVEL-MARK",
  tools: [{ name: "TOOL-MARK", description: "Does it", parameters: { PARAMETER_MARK: 1 } }],
};

const EVERYTHING = branchOf(
  message({ role: "user", content: "USER-MARK" }),
  message({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "THINKING-MARK" },
      { type: "text", text: "ANSWER-MARK" },
      { type: "toolCall", id: "1", name: "CALL-MARK", arguments: { a: "INPUT-MARK" } },
    ],
  }),
  message({ role: "toolResult", toolName: "x", content: [{ type: "text", text: "RESULT-MARK" }] }),
  message({
    role: "bashExecution",
    command: "echo BASH-MARK",
    output: "BASH-OUTPUT-MARK",
    exitCode: 3,
  }),
  message({ role: "pythonExecution", code: "print(PYTHON-MARK)", output: "" }),
  message({
    role: "bashExecution",
    command: "echo HIDDEN",
    output: "HIDDEN",
    excludeFromContext: true,
  }),
  message({ role: "pythonExecution", code: "HIDDEN", output: "", excludeFromContext: true }),
  message({ role: "custom", customType: "t", content: "CUSTOM-MARK" }),
  message({ role: "hookMessage", customType: "t", content: "HOOK-MARK" }),
  { type: "custom_message", customType: "t", content: "EXTENSION-MARK", display: true },
  message({ role: "fileMention", files: [{ path: "FILE-MARK", content: "FILE-CONTENT-MARK" }] }),
  { type: "branch_summary", fromId: "x", summary: "BRANCH-MARK" },
  { type: "compaction", summary: "COMPACTION-MARK", firstKeptEntryId: "e0", tokensBefore: 1 },
);

const MARKS =
  "PROMPT MODEL LEVEL TOOL USER THINKING ANSWER CALL INPUT RESULT BASH BASH-OUTPUT PYTHON CUSTOM HOOK EXTENSION FILE FILE-CONTENT BRANCH COMPACTION".split(
    " ",
  );

test("a dump has one of everything, but for what was kept from the model", () => {
  const text = dumpText(EVERYTHING, facts) ?? "";
  expect(MARKS.filter((mark) => !text.includes(`${mark}-MARK`))).toEqual([]);
  expect(text).toContain("PARAMETER_MARK");
  expect(text).not.toContain("HIDDEN");
});

test("there is nothing to dump of a session in which nothing was said", () => {
  const entries = branchOf(
    { type: "model_change", model: "a/b" },
    message({ role: "user", content: " " }),
  );
  expect(dumpText(entries, facts)).toBeUndefined();
});

const documentOf = (entries: SessionEntry[]) =>
  [...markdownParts(exportData(header, entries, entries.at(-1)?.id ?? null))].join("");

test("Markdown has the branch, and not what was kept from the model", () => {
  const text = documentOf(EVERYTHING);
  const told = new Set(["PROMPT", "MODEL", "LEVEL", "TOOL"]);
  const missing = MARKS.filter((mark) => !told.has(mark) && !text.includes(`${mark}-MARK`));
  expect(missing).toEqual([]);
  expect(text).not.toContain("HIDDEN");
});

test.each([
  [
    "fences in a result",
    {
      role: "toolResult",
      toolName: "x",
      content: [{ type: "text", text: "```\n````\n# no heading\n" }],
    },
  ],
  [
    "an open fence in an answer",
    { role: "assistant", content: [{ type: "text", text: "```js\nlet x" }] },
  ],
  ["an open comment", { role: "user", content: "a\n\n<!-- b" }],
  ["an open script", { role: "assistant", content: [{ type: "text", text: "  <script>\n\nx" }] }],
  ["an open fence of tildes", { role: "user", content: "~~~~\n```\n# no heading" }],
  ["HTML in a tool's name", { role: "toolResult", toolName: "<b>\n# x", content: [] }],
])("%s cannot swallow what follows", (_, hostile) => {
  const text = documentOf(branchOf(message(hostile), message({ role: "user", content: "AFTER" })));
  const tokens = new Lexer().lex(text);
  const headings = tokens.filter(({ type }) => type === "heading");
  expect(headings).toHaveLength(3);
  expect(tokens.filter(({ type }) => type === "html")).toEqual([]);
  expect(tokens.at(-1)).toMatchObject({ type: "paragraph", text: "AFTER" });
});
