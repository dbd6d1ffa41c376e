/** Two who want the same at the same moment: each gives what is wrong afterwards, or undefined. */

import { SessionLog } from "@omp/session";
import { cleanEnvironment, runOmp, workspace } from "@omp/testkit";
import fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { driverCommand, freshStore } from "./points.ts";
import { accountOf, doors, faultOfStore, placesIn, type Operation } from "./store.ts";

export const RACES = { forkDuringAppend, twoSettings, artifactNumbers, sameBlob } as const;

const BUSY_WRITER = fileURLToPath(
  import.meta.resolve("../../packages/session/test/busy-writer.ts"),
);
const FORKS = 3;

/** A fork has all that was acknowledged before it was asked for, and nothing that is half. */
async function forkDuringAppend(): Promise<string | undefined> {
  using store = freshStore("append-torn", 0);
  const path = join(store.folder, "busy.jsonl");
  const writer = spawn([process.execPath, BUSY_WRITER, path]);
  try {
    const named: string[] = [];
    const reader = writer.stdout.pipeThrough(new TextDecoderStream()).getReader();
    for (let fork = 0; fork < FORKS; fork++) {
      const { value = "" } = await reader.read();
      named.push(...value.split("\n").filter((id) => id.length === 8));
      const target = { cwd: "/w", folder: store.folder, ...doors };
      await using copy = await SessionLog.fork(path, target);
      const missing = named.find((id) => !copy.entry(id));
      if (missing !== undefined) return `the fork has no ${missing}`;
    }
    return named.length > 0 ? undefined : "nothing was written";
  } finally {
    writer.kill("SIGKILL");
    await writer.exited;
  }
}

const SETTINGS = [
  ["retry.maxRetries", "7"],
  ["retry.baseDelayMs", "1234"],
] as const;

async function twoSettings(): Promise<string | undefined> {
  await using place = await workspace();
  const where = { cwd: place.path, home: place.home };
  const runs = await Promise.all(
    SETTINGS.map(([name, value]) => runOmp(["config", "set", name, value], where)),
  );
  const failed = runs.find(({ exitCode }) => exitCode !== 0);
  if (failed) return failed.stderr;
  for (const [name, value] of SETTINGS) {
    const { stdout } = await runOmp(["config", "get", name], where);
    if (stdout.trim() !== value) return `${name} is ${stdout.trim()}`;
  }
  return undefined;
}

async function artifactNumbers(): Promise<string | undefined> {
  using store = freshStore("artifacts", 3);
  const { folder } = store;
  const lists = await Promise.all([1, 2, 3].map(() => drive("artifacts", folder, 3)));
  const given = lists.flatMap((lines) => lines.filter((line) => line.startsWith("ACK")));
  if (lists.some((lines) => lines.at(-1) !== "CLOSED")) return lists.join(" | ");
  if (new Set(given).size !== given.length) return `given twice: ${given.join(", ")}`;
  return lists.flat().find((line) => line.startsWith("ERR"));
}

async function sameBlob(): Promise<string | undefined> {
  using one = freshStore("pictures", 1);
  using other = freshStore("pictures", 1);
  fs.mkdirSync(placesIn(one.folder).blobs, { mode: 0o700 });
  fs.symlinkSync(placesIn(one.folder).blobs, placesIn(other.folder).blobs);
  const folders = [one.folder, other.folder];
  const lists = await Promise.all(folders.map((folder) => drive("pictures", folder, 1)));
  for (const [index, folder] of folders.entries()) {
    const { acknowledged, refused } = accountOf(lists[index]!);
    if (refused.size > 0) return lists[index]!.join(", ");
    const expected = { operation: "pictures", variant: 1, wanted: acknowledged } as const;
    const why = await faultOfStore(folder, expected);
    if (why !== undefined) return why;
  }
  return undefined;
}

async function drive(operation: Operation, folder: string, variant: number): Promise<string[]> {
  const child = spawn(driverCommand(operation, folder, variant));
  const text = await child.stdout.text();
  await child.exited;
  return text.split("\n").slice(0, -1);
}

function spawn(command: readonly string[]) {
  return Bun.spawn([...command], {
    env: cleanEnvironment(undefined),
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 20_000,
  });
}
