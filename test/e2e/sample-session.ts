/** A session file with one of everything that an exported page shows, and long ones. */

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

const TIME = "2026-11-15T09:30:00.000Z";
const usage = {
  input: 1200,
  output: 340,
  cacheRead: 15_800,
  cacheWrite: 0,
  totalTokens: 17_340,
  cost: { input: 0.0036, output: 0.0051, cacheRead: 0.00474, cacheWrite: 0, total: 0.01344 },
};
/** A red dot. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";

export const text = (words: string) => ({ type: "text", text: words });
export const call = (id: string, name: string, input: object) => ({
  type: "toolCall",
  id,
  name,
  arguments: input,
});
export const user = (...content: object[]) => ({ role: "user", content, timestamp: 1 });
export const assistant = (...content: object[]) => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "bench",
  model: "bench-model",
  usage,
  stopReason: "stop",
  duration: 4210,
  timestamp: 1,
});
export const result = (id: string, name: string, words: string, more: object = {}) => ({
  role: "toolResult",
  toolCallId: id,
  toolName: name,
  content: [text(words)],
  isError: false,
  timestamp: 1,
  ...more,
});

/** A file whose entries follow each other, `id` and `parentId` added where they are missing. */
export function sessionFile(entries: readonly Line[], header: object = {}): string {
  const top = {
    type: "session",
    version: 3,
    id: "01a1de2f-a1f2-734b-b6e6-99c25a199594",
    timestamp: TIME,
    cwd: "/home/user/project",
    ...header,
  };
  let parentId: string | null = null;
  const lines = entries.map((entry, index) => {
    const placed = { id: `e${index}`, parentId, timestamp: TIME, ...entry };
    parentId = placed.id;
    return placed;
  });
  return [top, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

export const message = (of: object, more: object = {}) => ({
  type: "message",
  message: of,
  ...more,
});

const ANSWER = `The tide table was off by **one hour** because \`hours\` counts to 24, not 25.

## What changed

1. \`src/tide.ts\` counts the hour that closes the day
2. The header is printed once, [as the docs ask](https://example.com/docs)

\`\`\`ts
export function tide(h: number): number {
  // The period of the moon, in hours.
  return Math.sin((h / 12.42) * 2 * Math.PI);
}
\`\`\`

| hour | height |
| ---: | :----- |
| 0 | 0.00 m |
| 6 | 1.84 m |

> Times are local; the sea does not care.`;

/** One of everything, on two branches. */
export function everything(): readonly Line[] {
  const edit = {
    oldText: "export const hours = 24;\nexport function tide() {}\n",
    newText: "export const hours = 25;\nexport function tide() {}\n",
    path: "src/tide.ts",
  };
  return [
    { type: "model_change", model: "bench/bench-model" },
    { type: "thinking_level_change", thinkingLevel: "high" },
    message(
      user(text("The tide table is wrong after midnight. Can you find out why?"), {
        type: "image",
        data: PNG,
        mimeType: "image/png",
      }),
      { id: "ask" },
    ),
    message(
      assistant(
        {
          type: "thinking",
          thinking: "The wrap at midnight smells like an off-by-one.\n\nLook at `tide.ts` first.",
        },
        text("I look at the code and run the tests."),
        call("c1", "read", { path: "src/tide.ts" }),
        call("c2", "bash", { command: "bun test --bail 2>&1 | tail -5" }),
      ),
      { id: "look" },
    ),
    message(
      result(
        "c1",
        "read",
        "export const hours = 24;\nexport function tide(h: number) {\n  return Math.sin(h);\n}",
      ),
      { id: "r1" },
    ),
    message(
      result("c2", "bash", "\u001b[31m✗ wraps at midnight\u001b[0m\n 1 fail\n 11 pass", {
        isError: true,
        details: { wallTimeMs: 1380 },
      }),
      { id: "r2" },
    ),
    message(
      assistant(
        call("c3", "edit", { path: "src/tide.ts" }),
        call("c4", "write", {
          path: "src/table.ts",
          content: 'export const header = "hour  height";\n',
        }),
      ),
      { id: "mend" },
    ),
    message(result("c3", "edit", "Edited src/tide.ts", { details: edit }), { id: "r3" }),
    message(result("c4", "write", "Wrote 38 bytes"), { id: "r4" }),
    message(assistant(text(ANSWER)), { id: "answer" }),
    { type: "label", targetId: "answer", label: "fix found" },
    {
      type: "compaction",
      id: "compact",
      summary: "## So far\n\nThe tide table was mended.",
      firstKeptEntryId: "answer",
      tokensBefore: 48_200,
    },
    message(
      {
        role: "bashExecution",
        command: "git diff --stat",
        output: " src/tide.ts | 2 +-\n",
        exitCode: 0,
        timestamp: 1,
      },
      { id: "ran" },
    ),
    message(user(text("Count the files with two helpers.")), { id: "helpers" }),
    message(
      assistant(
        text("Two helpers are on it."),
        call("c5", "task", {
          context: "A harbour program.",
          tasks: [{ name: "CountFiles", task: "Count" }],
        }),
      ),
      { id: "tasks" },
    ),
    message(
      result("c5", "task", "CountFiles: 2 files", { details: { results: [{ id: "CountFiles" }] } }),
      { id: "r5" },
    ),
    message(assistant(text("There are **two** files.")), { id: "two" }),
    {
      type: "branch_summary",
      id: "back",
      fromId: "two",
      summary: "Counting was done elsewhere.",
      parentId: "ran",
    },
    message(user(text("Leave the counting. Is the branch clean?")), { id: "clean" }),
    message(assistant(text("Yes, nothing is left to commit.")), { id: "yes" }),
  ];
}

/** A conversation of so many messages. */
export function long(messages: number, words = 60): readonly Line[] {
  const talk = "The sea rises and falls and the harbour keeps its count of it. ".repeat(
    Math.ceil(words / 12),
  );
  return Array.from({ length: messages }, (_, index) => {
    if (index % 4 === 0)
      return message(user(text(`Question ${index}: what is next?`)), { id: `m${index}` });
    if (index % 4 === 1)
      return message(
        assistant(text(`Step ${index}.`), call(`k${index}`, "bash", { command: `echo ${index}` })),
        { id: `m${index}` },
      );
    if (index % 4 === 2)
      return message(result(`k${index - 1}`, "bash", `${index}\n${talk}`), { id: `m${index}` });
    return message(
      assistant(text(`Answer ${index}. ${talk}\n\n\`\`\`ts\nconst n = ${index};\n\`\`\``)),
      { id: `m${index}` },
    );
  });
}
