/** The calls of an operation that can be made to fail, found by letting it run undisturbed once. */

import { runTraced, type TracedRun } from "@omp/testkit";
import type { Random } from "@omp/std";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { holdSource, OPERATIONS, prepareStore, type Operation } from "./store.ts";

const DRIVER = fileURLToPath(import.meta.resolve("./store-driver.ts"));

/** What changes a disk, or opens something on it. */
export const CALLS = [
  ...["openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate"],
  ...["rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat"],
  ...["mkdir", "mkdirat", "rmdir", "chmod", "fchmod", "fchmodat", "utimensat"],
  ...["copy_file_range", "sendfile", "ioctl"],
] as const;

/** One call of an operation: the `at`th with this name in its thread. */
export interface Point {
  readonly operation: Operation;
  readonly variant: number;
  readonly call: string;
  readonly at: number;
}

export function nameOf({ operation, variant, call, at }: Point): string {
  return `${operation}/${variant} ${call} ${at}`;
}

export interface Trial {
  readonly folder: string;
  readonly lines: readonly string[];
  readonly run: TracedRun;
}

export type TrialOptions = Omit<Parameters<typeof runTraced>[1], "calls">;

/** Prepares a store, runs the operation on it, and hands over what is left. The store is gone afterwards. */
export async function onStore<Result>(
  { operation, variant }: Pick<Point, "operation" | "variant">,
  options: TrialOptions,
  look: (trial: Trial) => Promise<Result>,
): Promise<Result> {
  using store = freshStore(operation, variant);
  const { folder } = store;
  const command = driverCommand(operation, folder, variant);
  const run = await runTraced(command, { ...options, calls: [...CALLS, "writev"] });
  return await look({ folder, lines: run.stdout.split("\n").slice(0, -1), run });
}

export function driverCommand(operation: Operation, folder: string, variant: number): string[] {
  return [process.execPath, DRIVER, operation, folder, String(variant)];
}

export function freshStore(operation: Operation, variant: number) {
  const root = fs.mkdtempSync(join(tmpdir(), "omp-store-"));
  const folder = join(root, "store");
  prepareStore(folder, operation, variant);
  const hold = operation === "live-lock" ? holdSource(folder) : undefined;
  return {
    folder,
    [Symbol.dispose]() {
      hold?.[Symbol.dispose]();
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

/** All calls after the program has begun its work. */
async function pointsOf(operation: Operation, variant: number): Promise<readonly Point[]> {
  const { calls } = await onStore({ operation, variant }, {}, async ({ run }) => run);
  const start = calls.findIndex(({ given }) => given.includes("START"));
  const main = calls[start]?.thread;
  const counts = new Map<string, number>();
  return calls.flatMap(({ thread, name }, index): Point[] => {
    if (name === "writev") return [];
    const key = `${thread} ${name}`;
    const at = (counts.get(key) ?? 0) + 1;
    counts.set(key, at);
    // Threads of the pool write only to wake the main one; the numbers of their other calls vary.
    const counted = thread === main || name !== "write";
    return index > start && counted ? [{ operation, variant, call: name, at }] : [];
  });
}

const VARIANTS = 6;

/** Takes points from every variant of every operation in turn, in an order that the seed decides. */
export async function* spread(count: number, random: Random): AsyncGenerator<Point> {
  const works = shuffled(
    OPERATIONS.flatMap((operation) =>
      Array.from({ length: VARIANTS }, (_, variant) => ({ operation, variant })),
    ),
    random,
  );
  const share = Math.ceil(count / works.length);
  // A second time for calls that did not come to pass; more would mean that none ever does.
  for (let round = 0; round < 3; round++) {
    for (const { operation, variant } of works) {
      const points = shuffled(await pointsOf(operation, variant), random);
      yield* points.slice(0, share);
    }
  }
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random.next() * (at + 1));
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}
