/** What one kind of internal URL must be able to do, and what they share. */

import { ToolFailure, type Resource } from "@omp/agent";
import { codeOf } from "@omp/std";
import fs from "node:fs";
import type { Address } from "./address.ts";

export interface Scheme {
  /** @throws ToolFailure when there is nothing behind the address */
  find(address: Address, signal: AbortSignal): Promise<Resource>;
  /** The file that a write goes to, private and there; absent where nothing can be written. */
  writable?(address: Address): Promise<string>;
}

/** More than this is read in parts or not at all. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** A file whose parts can be read without loading it. */
export function fileResource(path: string, contentType: string): Resource {
  return {
    contentType,
    path,
    async text() {
      const { size } = await fs.promises.stat(path);
      if (size <= MAX_TEXT_BYTES) return fs.promises.readFile(path, "utf8");
      throw new ToolFailure(
        `It has ${size} bytes, too many to load at once. Read a range of lines.`,
      );
    },
  };
}

/** Undefined when there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await fs.promises.readdir(folder)).sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The end of a message about something unknown. */
export function available(names: readonly string[]): string {
  return names.length === 0 ? "Nothing is available." : `Available: ${names.join(", ")}`;
}
