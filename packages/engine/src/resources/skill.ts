/** `skill://<name>[/file]`: the text of a skill, and the files beside it. */

import { ToolFailure } from "@omp/agent";
import { codeOf } from "@omp/std";
import fs from "node:fs";
import { dirname, extname, resolve } from "node:path";
import type { Discovery } from "../discovery/discovery.ts";
import { isInside } from "../discovery/place.ts";
import { available, fileResource, type Scheme } from "./scheme.ts";

export function skillScheme(discovery: Pick<Discovery, "find">): Scheme {
  return {
    async find({ host, path }) {
      const { items } = discovery.find("skill");
      const skill = items.find(({ name }) => name === host);
      if (!skill) {
        throw new ToolFailure(
          `Unknown skill: ${host}\n${available(items.map(({ name }) => name))}`,
        );
      }
      const file = path === "" ? skill.path : await inside(dirname(skill.path), path);
      const contentType = extname(file) === ".md" ? "text/markdown" : "text/plain";
      return { ...fileResource(file, contentType), isWhole: true };
    },
  };
}

/** A file of the skill's own folder, whatever dots and links say. */
async function inside(folder: string, path: string): Promise<string> {
  const file = resolve(folder, path);
  const isRefused = path.startsWith("/") || path.includes("\0") || !isInside(file, folder);
  if (!isRefused) {
    const [real, root] = await Promise.all([file, folder].map(realPath));
    if (real === undefined || root === undefined) throw new ToolFailure(`File not found: ${path}`);
    if (isInside(real, root)) return file;
  }
  throw new ToolFailure(`skill:// paths stay in the skill's folder, got: ${path}`);
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await fs.promises.realpath(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
