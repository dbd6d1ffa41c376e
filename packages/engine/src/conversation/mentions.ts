/** Files that a person names in a prompt by `@path`: their content goes to the model in front of it. */

import type { ImageBlock } from "@omp/ai/schema";
import { HostError, type Files } from "@omp/host";
import type { ForeignMessage } from "@omp/session";
import { countLines, ignore, UserError, type Clock } from "@omp/std";
import type { Pictures } from "./pictures.ts";

/** More of a file than this is for the read tool, which can take a part of it. */
const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILES = 32;
const HEAD_BYTES = 512;

export interface MentionDeps {
  readonly cwd: string;
  readonly files: Files;
  readonly clock: Clock;
  loadPictures(): Promise<Pictures>;
}

export interface MentionedFile {
  readonly path: string;
  readonly content: string;
  readonly lineCount?: number;
  readonly image?: ImageBlock;
}

/** Undefined where no word names a file. A word that looks like one and names none stays a word. */
export async function fileMention(
  text: string,
  deps: MentionDeps,
): Promise<ForeignMessage | undefined> {
  const files = new Map<string, MentionedFile>();
  for (const word of mentionedWords(text)) {
    const path = await existing(word, deps);
    if (path === undefined || files.has(path)) continue;
    if (files.size === MAX_FILES) break;
    files.set(path, await mentioned(path, deps));
  }
  if (files.size === 0) return undefined;
  return { role: "fileMention", files: [...files.values()], timestamp: deps.clock.now() };
}

/** `@path` or `@"a path"` where a word can begin: an address of mail has something before its `@`. */
export function mentionedWords(text: string): readonly string[] {
  const words = text.matchAll(/(?<=^|[\s(["'`])@(?:"([^"\n]+)"|([^\s"]+))/g);
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

/** Marks at the end of a word end the sentence, unless the file is really called so. */
async function existing(word: string, { cwd, files }: MentionDeps): Promise<string | undefined> {
  const bare = word.replace(/[.,;:!?)\]}'"`]+$/, "");
  for (const name of word === bare ? [word] : [word, bare]) {
    if (name === "") continue;
    try {
      const path = files.resolve(name, cwd);
      if ((await files.stat(path)).kind === "file") return path;
    } catch (error) {
      ignore(error, "not a file, so it is a word");
    }
  }
  return undefined;
}

async function mentioned(path: string, deps: MentionDeps): Promise<MentionedFile> {
  try {
    return { path, ...(await contentOf(path, deps)) };
  } catch (error) {
    if (!(error instanceof HostError) && !(error instanceof UserError)) throw error;
    return { path, content: `[Not attached: ${error.message}]` };
  }
}

async function contentOf(
  path: string,
  { files, loadPictures }: MentionDeps,
): Promise<Omit<MentionedFile, "path">> {
  const pictures = await loadPictures();
  const head = await files.readHead(path, HEAD_BYTES);
  if (pictures.isPicture(head)) {
    const bytes = await files.read(path, { maxBytes: pictures.maxBytes });
    const { image, note } = await pictures.attach(path, bytes);
    return { content: note, image };
  }
  if (head.includes(0)) return { content: "[Not attached: it is not a text]" };
  const content = new TextDecoder().decode(await files.read(path, { maxBytes: MAX_FILE_BYTES }));
  return { content, lineCount: countLines(content) };
}
