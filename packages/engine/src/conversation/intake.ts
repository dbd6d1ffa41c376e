/** From what a person typed to the messages the model gets: named and attached files in front, then the text. */

import type { ImageBlock, TextBlock, UserMessage } from "@omp/ai/schema";
import { HostError, type Files } from "@omp/host";
import type { ForeignMessage } from "@omp/session";
import { UserError, type Clock } from "@omp/std";
import { resolve } from "node:path";
import type { PromptFields } from "../protocol/commands/run.ts";
import type { Pictures } from "./pictures.ts";

/** More than this does not fit any model's window; a clear word is better than a failed request. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024;
/** Enough to tell a picture from a text. */
const HEAD_BYTES = 512;

export interface IntakeDeps {
  readonly cwd: string;
  readonly clock: Clock;
  /** Loaded with the first file that a prompt names. */
  loadFiles(): Promise<Files>;
  /** Loaded with the first attachment. */
  loadPictures(): Promise<Pictures>;
}

/** What a prompt adds to the conversation, in order; the words themselves are last. */
export type Opening = readonly [...ForeignMessage[], UserMessage];

/** @throws UserError where a file or a picture cannot be attached */
export async function openingOf(prompt: PromptFields, deps: IntakeDeps): Promise<Opening> {
  const message = await userMessage(prompt, deps);
  // What a program or a template sends is taken as it is.
  if (prompt.expands === false || !prompt.text.includes("@")) return [message];
  const { fileMention } = await import("./mentions.ts");
  const { cwd, clock, loadPictures } = deps;
  const files = await deps.loadFiles();
  const mention = await fileMention(prompt.text, { cwd, clock, loadPictures, files });
  return mention ? [mention, message] : [message];
}

async function userMessage(
  { text, files = [], images = [] }: PromptFields,
  deps: IntakeDeps,
): Promise<UserMessage> {
  const shown: ImageBlock[] = [];
  let front = "";
  for (const attachment of files) {
    const path = resolve(deps.cwd, attachment);
    const { content, image } = await attached(path, deps);
    front += `<file name="${path}">${content}</file>\n`;
    if (image) shown.push(image);
  }
  for (const [index, given] of images.entries()) {
    const { image, note } = await pictureOf(given, `image ${index + 1}`, deps);
    if (note !== "") front += `${note}\n`;
    shown.push(image);
  }
  const said: TextBlock = { type: "text", text: front + text };
  const timestamp = deps.clock.now();
  return { role: "user", content: [said, ...shown], attribution: "user", timestamp };
}

/** What came as data is treated as what comes from a file: the kind is that of its bytes. */
async function pictureOf({ data }: ImageBlock, name: string, { loadPictures }: IntakeDeps) {
  const pictures = await loadPictures();
  if (data.length / 4 > pictures.maxBytes / 3 + 1) {
    throw new UserError(
      "bad-input",
      `Cannot attach ${name}: it is larger than ${pictures.maxBytes} bytes.`,
    );
  }
  return pictures.attach(name, bytesOf(data, name));
}

function bytesOf(data: string, name: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(data);
  } catch (error) {
    throw new UserError("bad-input", `Cannot attach ${name}: its data is not base64.`, {
      cause: error,
    });
  }
}

async function attached(
  path: string,
  { loadFiles, loadPictures }: IntakeDeps,
): Promise<{ readonly content: string; readonly image?: ImageBlock }> {
  const [pictures, files] = await Promise.all([loadPictures(), loadFiles()]);
  const isPicture = pictures.isPicture(
    await readable(path, () => files.readHead(path, HEAD_BYTES)),
  );
  const maxBytes = isPicture ? pictures.maxBytes : MAX_TEXT_BYTES;
  const bytes = await readable(path, () => files.read(path, { maxBytes }));
  if (!isPicture) return { content: `\n${new TextDecoder().decode(bytes)}\n` };
  const { image, note } = await pictures.attach(path, bytes);
  return { content: note, image };
}

async function readable(path: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.kind === "not-found") {
      throw new UserError("file-not-found", `File not found: ${path}`, { cause: error });
    }
    throw new UserError("unreadable-file", `Cannot attach ${error.message}`, {
      cause: error,
    });
  }
}
