/**
 * What the demo's model says and does. It has no memory: like a real model it decides on what the
 * conversation holds so far, so a demo that was killed goes on from its last finished step.
 */

/** The messages of an OpenAI Chat request, as far as the script reads them. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface Step {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}

const RUN_TESTS = { name: "bash", arguments: { command: "sh test.sh" } };
const READ_PROGRAM = { name: "read", arguments: { path: "celsius.sh" } };
const WRONG = "* 5 / 8";
const RIGHT = "* 5 / 9";

export function nextStep(messages: readonly ChatMessage[]): Step {
  const result = lastResult(messages);
  if (!result) return { text: "I run the tests first, to see what fails.", call: RUN_TESTS };
  const { tool, text } = result;
  if (text.startsWith("Refused")) return { text: `I was not allowed to use ${tool}. ${text}` };
  switch (tool) {
    case "bash":
      return text.includes("FAIL") ? afterFailure(messages) : { text: CONCLUSION };
    case "read":
      return afterReading(text);
    case "edit":
      return afterEditing(text);
    default:
      return { text: `I did not expect a result of ${tool}.` };
  }
}

const CONCLUSION =
  "All three tests pass. celsius.sh divided by 8 where the formula divides by 9, so only the freezing " +
  "point came out right. I changed that one digit in celsius.sh and ran the tests before and after.";

function afterFailure(messages: readonly ChatMessage[]): Step {
  const hasEdited = messages.some((message) =>
    message.tool_calls?.some((call) => call.function.name === "edit"),
  );
  if (hasEdited)
    return { text: "The tests still fail after my change. Somebody has to look at this." };
  return {
    text: "Two of three fail, and 32 F passes only because it gives zero. I read the program.",
    call: READ_PROGRAM,
  };
}

/** `read` shows a header that names the file as it is, then its lines with their numbers. */
function afterReading(program: string): Step {
  const header = /^¶.*$/m.exec(program)?.[0];
  const [, number, line] = /^(\d+):(.*\* 5 \/ 8.*)$/m.exec(program) ?? [];
  if (header === undefined || line === undefined) {
    return { text: "celsius.sh looks right already. I run the tests to be sure.", call: RUN_TESTS };
  }
  return {
    text: "There it is: the formula is (F - 32) * 5 / 9, and the program divides by 8.",
    call: {
      name: "edit",
      arguments: { input: `${header}\n= ${number}\n~${line.replace(WRONG, RIGHT)}` },
    },
  };
}

/** An edit of lines that were shown to another process is refused: they have to be looked at again. */
function afterEditing(result: string): Step {
  if (result.includes(RIGHT)) return { text: "Now the tests again.", call: RUN_TESTS };
  return { text: "I look at the program once more before I change it.", call: READ_PROGRAM };
}

/** The newest tool result, with the name of the tool that gave it. */
function lastResult(messages: readonly ChatMessage[]): { tool: string; text: string } | undefined {
  const at = messages.findLastIndex(({ role }) => role === "tool");
  const message = messages[at];
  if (!message) return undefined;
  const asking = messages.slice(0, at).findLast(({ tool_calls }) => tool_calls !== undefined);
  const tool = asking?.tool_calls?.[0]?.function.name ?? "unknown";
  return { tool, text: textOf(message.content) };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}
