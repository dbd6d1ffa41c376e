/** From what a person typed to the message the model gets: attached files in front, then the text. */

import type { ImageBlock, TextBlock, UserMessage } from "@omp/ai/schema";
import { HostError, type Files } from "@omp/host";
import { imageType, UserError, type Clock } from "@omp/std";
import { resolve } from "node:path";

/** More than this does not fit any model's window; a clear word is better than a failed request. */
const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;

export interface IntakeDeps {
  readonly cwd: string;
  readonly files: Files;
  readonly clock: Clock;
}

export async function userMessage(
  text: string,
  attachments: readonly string[],
  { cwd, files, clock }: IntakeDeps,
): Promise<UserMessage> {
  const images: ImageBlock[] = [];
  let front = "";
  for (const attachment of attachments) {
    const path = resolve(cwd, attachment);
    const bytes = await readAttachment(path, files);
    const mimeType = imageType(bytes);
    if (mimeType) images.push({ type: "image", data: bytes.toBase64(), mimeType });
    else front += `<file name="${path}">\n${new TextDecoder().decode(bytes)}\n</file>\n`;
  }
  const said: TextBlock = { type: "text", text: front + text };
  return { role: "user", content: [said, ...images], attribution: "user", timestamp: clock.now() };
}

async function readAttachment(path: string, files: Files): Promise<Uint8Array> {
  try {
    return await files.read(path, { maxBytes: MAX_ATTACHMENT_BYTES });
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
