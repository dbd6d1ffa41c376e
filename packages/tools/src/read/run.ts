/** Runs a read: finds what the path means, then shows it as what it is. */

import { textOutput, ToolFailure, type ToolOutput, type ToolRun } from "@omp/agent";
import type { Files, FileStat } from "@omp/host";
import { editDistance, imageType } from "@omp/std";
import { basename, dirname } from "node:path";
import { orFailure, orMissing } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import { binaryNotice } from "./binary.ts";
import { linesText } from "./lines.ts";
import { footer } from "./page.ts";
import { resourceAt, resourceText } from "./resource.ts";
import { splitSelector, WHOLE, type Selector } from "./selector.ts";

/** What the path of a call turned out to mean. */
interface Target {
  /** As the model wrote it, without the selector. */
  readonly given: string;
  readonly path: string;
  readonly stat: FileStat;
  readonly selector: Selector;
}

const HEAD_BYTES = 8192;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_LISTED = 1000;
const MAX_SUGGESTIONS = 3;

export const run: ToolRun<{ path: string }, Pick<Hosts, "files" | "resources">> = async (
  { path },
  { cwd, signal },
  { files, resources },
) => {
  if (resources.isInternal(path)) {
    const { resource, given, selector } = await resourceAt(path, resources, signal);
    if (resource.path === undefined) return textOutput(await resourceText(resource, selector));
    return show(
      { given, path: resource.path, selector, stat: await orFailure(files.stat(resource.path)) },
      files,
    );
  }
  return show(await orFailure(locate(path, cwd, files)), files);
};

function show(target: Target, files: Files): Promise<ToolOutput> {
  switch (target.stat.kind) {
    case "directory":
      return orFailure(readDirectory(target, files));
    case "file":
      return orFailure(readFile(target, files));
    case "other":
      throw new ToolFailure(`'${target.given}' is neither a file nor a directory.`);
  }
}

/** A name that exists wins over a selector that it could be read as. */
async function locate(given: string, cwd: string, files: Files): Promise<Target> {
  const literal = await lookUp(given, cwd, files);
  if (literal) return { given, selector: WHOLE, ...literal };
  const split = splitSelector(given);
  if (!split) throw await notFound(given, cwd, files);
  const found = await lookUp(split.path, cwd, files);
  if (!found) throw await notFound(split.path, cwd, files);
  return { given: split.path, selector: split.selector, ...found };
}

async function lookUp(given: string, cwd: string, files: Files) {
  // A model that asks for `/` means its own root, not the machine's.
  const path = given === "/" ? cwd : files.resolve(given, cwd);
  const stat = await orMissing(files.stat(path));
  return stat && { path, stat };
}

async function notFound(given: string, cwd: string, files: Files): Promise<ToolFailure> {
  const path = files.resolve(given, cwd);
  const name = basename(path).toLowerCase();
  const siblings = (await orMissing(files.list(dirname(path)))) ?? [];
  const similar = siblings
    .slice(0, MAX_LISTED)
    .map((entry) => ({ ...entry, distance: editDistance(name, entry.name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map((entry) => entry.name);
  const hint = similar.length > 0 ? `\nSimilar names in that directory: ${similar.join(", ")}` : "";
  return new ToolFailure(`Path '${given}' not found${hint}`);
}

async function readDirectory({ path, selector }: Target, files: Files): Promise<ToolOutput> {
  const entries = await files.list(path);
  const names = entries.map(({ name, kind }) => (kind === "directory" ? `${name}/` : name));
  const { from, to = from + MAX_LISTED - 1 } = selector;
  const shown = names.slice(from - 1, to);
  const details = { kind: "file", isDirectory: true, resolvedPath: path };
  if (shown.length === 0) {
    const isPast = names.length > 0;
    const text = isPast ? `The directory has only ${names.length} entries.` : "(empty directory)";
    return textOutput(text, details);
  }
  const range = { from, to: from + shown.length - 1, total: names.length };
  return textOutput(shown.join("\n") + footer(range), details);
}

async function readFile(
  { given, path, stat, selector }: Target,
  files: Files,
): Promise<ToolOutput> {
  const details = { kind: "file", resolvedPath: path };
  if (!selector.isRaw) {
    const head = await files.readHead(path, HEAD_BYTES);
    const mimeType = imageType(head);
    if (mimeType) return readImage({ given, path, mimeType, details }, files);
    const notice = binaryNotice(head, { name: given, size: stat.size });
    if (notice) return textOutput(notice, details);
  }
  return textOutput(await linesText(path, selector, files), details);
}

async function readImage(
  image: { given: string; path: string; mimeType: string; details: object },
  files: Files,
): Promise<ToolOutput> {
  const { given, path, mimeType, details } = image;
  const bytes = await files.read(path, { maxBytes: MAX_IMAGE_BYTES });
  return {
    content: [
      { type: "text", text: `Image ${given} (${mimeType}, ${bytes.length} bytes)` },
      { type: "image", data: bytes.toBase64(), mimeType },
    ],
    details,
  };
}
