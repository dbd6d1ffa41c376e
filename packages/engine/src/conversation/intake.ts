/** From what a person typed to the message the model gets: attached files in front, then the text. */

import type { ImageBlock, TextBlock, UserMessage } from "@omp/ai/schema";
import { HostError, type Files } from "@omp/host";
import { UserError, type Clock } from "@omp/std";
import { resolve } from "node:path";

/** More than this does not fit any model's window; a clear word is better than a failed request. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024;
/** Enough to tell a picture from a text. */
const HEAD_BYTES = 512;

/** What becomes of attached pictures. */
export interface Pictures {
  readonly maxBytes: number;
  /** Whether a file that begins like this is attached as a picture. */
  isPicture(head: Uint8Array): boolean;
  /** @throws UserError that names the file and the reason */
  attach(
    path: string,
    bytes: Uint8Array,
  ): Promise<{ readonly image: ImageBlock; readonly note: string }>;
}

export interface IntakeDeps {
  readonly cwd: string;
  readonly files: Files;
  readonly clock: Clock;
  /** Loaded with the first attachment. */
  loadPictures(): Promise<Pictures>;
}

export async function userMessage(
  text: string,
  attachments: readonly string[],
  deps: IntakeDeps,
): Promise<UserMessage> {
  const images: ImageBlock[] = [];
  let front = "";
  for (const attachment of attachments) {
    const path = resolve(deps.cwd, attachment);
    const { content, image } = await attached(path, deps);
    front += `<file name="${path}">${content}</file>\n`;
    if (image) images.push(image);
  }
  const said: TextBlock = { type: "text", text: front + text };
  const timestamp = deps.clock.now();
  return { role: "user", content: [said, ...images], attribution: "user", timestamp };
}

async function attached(
  path: string,
  { files, loadPictures }: IntakeDeps,
): Promise<{ readonly content: string; readonly image?: ImageBlock }> {
  const pictures = await loadPictures();
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
