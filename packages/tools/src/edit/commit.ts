/** Makes planned changes: all of them or none, and says what was done. */

import { ToolFailure, type ToolCall, type ToolOutput } from "@omp/agent";
import { HostError } from "@omp/host";
import { ignore } from "@omp/std";
import { changesBetween } from "./changes.ts";
import { EMPTY, isSameText, textOf } from "./file-text.ts";
import { noChange } from "./no-change.ts";
import type { EditHosts, PlannedChange } from "./planned.ts";
import { resultOf, type Done } from "./result.ts";
import { reviewed } from "./review.ts";

/** @param said what the model called with, to notice when it repeats itself */
export async function commit(
  planned: readonly PlannedChange[],
  { call, said }: { readonly call: ToolCall; readonly said: string },
  hosts: EditHosts,
): Promise<ToolOutput> {
  for (const change of planned) {
    if (isNothing(change)) throw noChange(change.shown, hosts.editing.noOps.count(said));
  }
  const { changes, notes } = await reviewed(planned, call.signal, hosts.editing);
  // From here on nothing stops the work: a batch is done or undone as a whole.
  call.signal.throwIfAborted();
  const done: Done[] = [];
  for (const change of changes) {
    try {
      done.push(await make(change, hosts));
    } catch (error) {
      throw await undone(done, change, error, hosts);
    }
  }
  hosts.editing.noOps.reset();
  return resultOf(done, { notes, editing: hosts.editing });
}

function isNothing({ before, after, newPlace }: PlannedChange): boolean {
  if (!before || !after || newPlace) return false;
  return isSameText(before.text, after);
}

async function make(change: PlannedChange, hosts: EditHosts): Promise<Done> {
  const { files, snapshots, editing } = hosts;
  const { before, after, newPlace, path } = change;
  const expected = before?.bytes ?? "nothing";
  const warnings = [...change.warnings];
  if (!after) {
    await files.remove(path, { expected });
    snapshots.forget(path);
    return { ...change, tag: undefined, changes: [], warnings };
  }
  const target = newPlace?.path ?? path;
  const text = textOf(after);
  const report = await files.write(target, text, newPlace ? {} : { expected });
  if (newPlace) {
    await files.remove(path, { expected });
    snapshots.forget(path);
  }
  if (report.otherNames > 0) warnings.push(linked(newPlace?.shown ?? change.shown));
  if (before) {
    const broken = await editing.syntax?.broken(target, before.whole, text);
    warnings.push(...(broken ?? []));
  }
  const changes = changesBetween(before?.text ?? EMPTY, after, change.regions);
  return { ...change, tag: snapshots.record(target, text), changes, warnings };
}

function linked(shown: string): string {
  return `${shown} had other names (hard links): they keep the old content.`;
}

/** What was made before the failure is taken back. */
async function undone(
  done: readonly Done[],
  failed: PlannedChange,
  error: unknown,
  { files }: EditHosts,
): Promise<unknown> {
  if (!(error instanceof HostError)) return error;
  const stuck: string[] = [];
  for (const change of done.toReversed()) {
    const isBack = await takeBack(change, files).then(
      () => true,
      (problem: unknown) => {
        ignore(problem, "named below");
        return false;
      },
    );
    if (!isBack) stuck.push(change.shown);
  }
  const reason =
    error.kind === "changed"
      ? `${failed.shown} was changed by somebody else while the edit was made. Read it again.`
      : error.message;
  const state =
    stuck.length === 0
      ? "Nothing was written."
      : `These files stay changed: ${stuck.join(", ")}. Everything else is as it was.`;
  return new ToolFailure(`${reason}\n${state}`, undefined, { cause: error });
}

async function takeBack(
  { before, after, newPlace, path }: PlannedChange,
  files: EditHosts["files"],
): Promise<void> {
  if (newPlace) await files.remove(newPlace.path);
  if (before)
    return void (await files.write(path, before.bytes, { ...expectedNow(after, newPlace) }));
  await files.remove(path);
}

function expectedNow(
  after: PlannedChange["after"],
  newPlace: PlannedChange["newPlace"],
): { expected: Uint8Array | "nothing" } {
  return { expected: after && !newPlace ? Buffer.from(textOf(after)) : "nothing" };
}
