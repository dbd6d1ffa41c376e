/** `local://<name>`: scratch files of a session and its agents, kept with its artifacts. They can be written. */

import { ToolFailure } from "@omp/agent";
import type { ArtifactStore } from "@omp/session";
import { codeOf } from "@omp/std";
import fs from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import type { Address } from "./address.ts";
import { available, fileResource, namesIn, type Scheme } from "./scheme.ts";

const FOLDER = "local";

export function localScheme(store: Pick<ArtifactStore, "folder">): Scheme {
  const rootOf = (): string => {
    if (store.folder === undefined) throw new ToolFailure("No session - local files unavailable");
    return join(store.folder, FOLDER);
  };
  return {
    async find(address) {
      const root = rootOf();
      const path = await inside(root, nameOf(address));
      const found = await fs.promises.stat(path).catch(missing);
      if (found?.isDirectory() || (path === root && !found)) return listing(path);
      if (!found) throw new ToolFailure(`Not found: ${nameOf(address)}. ${await namesAt(root)}`);
      const contentType = extname(path) === ".md" ? "text/markdown" : "text/plain";
      return { ...fileResource(path, contentType), isMutable: true };
    },
    async writable(address) {
      const root = rootOf();
      const path = await inside(root, nameOf(address));
      if (path === root) throw new ToolFailure("local:// needs the name of a file");
      await fs.promises.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Whoever replaces a file keeps its mode, so it begins as a private one.
      await (await fs.promises.open(path, "a", 0o600)).close();
      return path;
    },
  };
}

function nameOf({ host, path }: Address): string {
  return path === "" ? host : `${host}/${path}`;
}

/** The place of a name, which must be below the root whatever links and dots say. */
async function inside(root: string, name: string): Promise<string> {
  const path = resolve(root, name);
  const isOutside = name.startsWith("/") || name.includes("\0") || leaves(root, path);
  if (isOutside || leaves(await realPlace(root), await realPlace(path))) {
    throw new ToolFailure(`local:// paths stay in their folder, got: ${name}`);
  }
  return path;
}

/** Without links, as far as the path exists. */
async function realPlace(path: string): Promise<string> {
  const real = await fs.promises.realpath(path).catch(missing);
  return real ?? join(await realPlace(dirname(path)), basename(path));
}

function leaves(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`);
}

function missing(error: unknown): undefined {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
  throw error;
}

async function listing(folder: string) {
  const text = (await namesIn(folder))?.join("\n") || "(empty directory)";
  return { contentType: "text/plain", text: () => Promise.resolve(text) };
}

async function namesAt(root: string): Promise<string> {
  return available((await namesIn(root)) ?? []);
}
