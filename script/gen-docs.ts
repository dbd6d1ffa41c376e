/** `npm run docs`: writes docs/reference. With --check it only says which files are not what it would write. */

import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Document } from "./docs/document.ts";
import { documents } from "./docs/registry.ts";

/** Files that differ from what is generated, and files that nothing generates any more. */
export async function staleDocs(folder: string, all: readonly Document[]): Promise<string[]> {
  const wanted = await Promise.all(
    all.map(async ({ file, render }) => {
      const current = Bun.file(join(folder, file));
      const isSame = (await current.exists()) && (await current.text()) === (await render());
      return isSame ? [] : [file];
    }),
  );
  return [...wanted.flat(), ...(await strangers(folder, all))].sort();
}

export async function writeDocs(folder: string, all: readonly Document[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { file, render } of all) await Bun.write(join(folder, file), await render());
  for (const file of await strangers(folder, all)) await rm(join(folder, file));
}

async function strangers(folder: string, all: readonly Document[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const known = new Set(all.map(({ file }) => file));
  return (await readdir(folder)).filter((name) => !known.has(name));
}

if (import.meta.main) {
  const folder = resolve(import.meta.dir, "../docs/reference");
  if (process.argv.includes("--check")) {
    const stale = await staleDocs(folder, documents);
    for (const file of stale) console.error(`docs/reference/${file} is out of date`);
    if (stale.length > 0) console.error("Run npm run docs and commit the result.");
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else {
    await writeDocs(folder, documents);
    for (const { file } of documents) console.log(`docs/reference/${file}`);
  }
}
