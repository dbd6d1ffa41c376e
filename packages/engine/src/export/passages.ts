/** A branch as passages for people: who said what, in plain parts. Both text exports are written from it. Pure. */

import { fieldsOf, isRecord, type Fields, type SessionEntry } from "@omp/session";

export interface Passage {
  readonly heading: string;
  readonly parts: readonly Part[];
}

export type Part =
  /** Markdown of a person or a model. */
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** Text that must stay as it is. */
  | { readonly kind: "verbatim"; readonly text: string; readonly language?: string }
  | { readonly kind: "call"; readonly name: string; readonly input: unknown }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "image"; readonly mimeType: string; readonly data: string };

/** What was kept from the model is kept from copies of the conversation too. Entries that say nothing have no passage. */
export function passagesOf(branch: readonly SessionEntry[]): Passage[] {
  return branch.flatMap((entry) => {
    const fields = fieldsOf(entry);
    const passage = WRITERS.get(entry.type)?.(fields);
    return passage && passage.parts.length > 0 ? [passage] : [];
  });
}

type Writer = (fields: Fields) => Passage | undefined;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["message", ({ message }) => (isRecord(message) ? messagePassage(message) : undefined)],
  [
    "custom_message",
    (fields) => ({ heading: customHeading(fields), parts: content(fields.content) }),
  ],
  ["compaction", ({ summary }) => ({ heading: "Compaction summary", parts: prose(summary) })],
  ["branch_summary", ({ summary }) => ({ heading: "Branch summary", parts: prose(summary) })],
  [
    "reset_boundary",
    () => ({
      heading: "Context cleared",
      parts: [{ kind: "note", text: "What stands above was not sent to the model any more." }],
    }),
  ],
]);

function messagePassage(message: Fields): Passage | undefined {
  return typeof message.role === "string" ? ROLES.get(message.role)?.(message) : undefined;
}

const ROLES: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["user", (message) => ({ heading: "User", parts: content(message.content) })],
  ["developer", (message) => ({ heading: "Developer", parts: content(message.content) })],
  ["assistant", answer],
  ["toolResult", toolResult],
  ["bashExecution", (message) => execution("Shell", "$ ", message.command, message)],
  ["pythonExecution", (message) => execution("Python", ">>> ", message.code, message)],
  ["fileMention", fileMention],
  ["custom", (message) => ({ heading: customHeading(message), parts: content(message.content) })],
  [
    "hookMessage",
    (message) => ({ heading: customHeading(message), parts: content(message.content) }),
  ],
]);

function answer({ content: blocks, provider, model, stopReason, errorMessage }: Fields): Passage {
  const parts = Array.isArray(blocks) ? blocks.flatMap(answerPart) : [];
  if (stopReason === "aborted") parts.push({ kind: "note", text: "Aborted" });
  if (typeof errorMessage === "string" && stopReason === "error")
    parts.push({ kind: "note", text: `Error: ${errorMessage}` });
  const name = [provider, model].filter((part) => typeof part === "string" && part !== "");
  return { heading: name.length > 0 ? `Assistant (${name.join("/")})` : "Assistant", parts };
}

function answerPart(block: unknown): Part[] {
  if (!isRecord(block)) return [];
  if (block.type === "text") return prose(block.text);
  if (block.type === "thinking")
    return isText(block.thinking) ? [{ kind: "thinking", text: block.thinking }] : [];
  if (block.type !== "toolCall" || typeof block.name !== "string") return [];
  return [{ kind: "call", name: block.name, input: block.malformedArguments ?? block.arguments }];
}

function toolResult({ toolName, isError, content: blocks }: Fields): Passage {
  const parts = blocksOf(blocks).flatMap((block): Part[] => {
    if (block.type === "text" && isText(block.text))
      return [{ kind: "verbatim", text: block.text }];
    return image(block);
  });
  const said: Part[] = parts.length > 0 ? parts : [{ kind: "note", text: "No output" }];
  const failed = isError === true ? " (failed)" : "";
  return { heading: `Tool result: ${String(toolName)}${failed}`, parts: said };
}

function execution(
  name: string,
  prompt: string,
  code: unknown,
  message: Fields,
): Passage | undefined {
  if (typeof code !== "string" || message.excludeFromContext === true) return undefined;
  const { output, exitCode, cancelled } = message;
  const parts: Part[] = [
    { kind: "verbatim", text: `${prompt}${code}\n${isText(output) ? output : ""}` },
  ];
  if (cancelled === true) parts.push({ kind: "note", text: "Cancelled" });
  else if (typeof exitCode === "number" && exitCode !== 0)
    parts.push({ kind: "note", text: `Exit code ${exitCode}` });
  return { heading: `${name}, run by the user`, parts };
}

function fileMention({ files }: Fields): Passage {
  const parts = blocksOf(files).flatMap(({ path, content: text, image: picture }): Part[] => {
    if (typeof path !== "string") return [];
    const named: Part = { kind: "note", text: path };
    if (isText(text)) return [named, { kind: "verbatim", text }];
    return [named, ...(isRecord(picture) ? image(picture) : [])];
  });
  return { heading: "Mentioned files", parts };
}

function customHeading({ customType, hookName }: Fields): string {
  const name = [customType, hookName].find((candidate) => typeof candidate === "string");
  return typeof name === "string" ? `Message of ${name}` : "Message of an extension";
}

function content(value: unknown): Part[] {
  if (typeof value === "string") return prose(value);
  return blocksOf(value).flatMap((block) =>
    block.type === "text" ? prose(block.text) : image(block),
  );
}

function image({ type, data, mimeType }: Fields): Part[] {
  if (type !== "image" || typeof data !== "string" || typeof mimeType !== "string") return [];
  return [{ kind: "image", mimeType, data }];
}

function prose(text: unknown): Part[] {
  return isText(text) ? [{ kind: "prose", text }] : [];
}

function blocksOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
