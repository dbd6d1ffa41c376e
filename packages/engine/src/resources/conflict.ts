/** `conflict://<id>[/ours|theirs|base|both]`: a conflict of a merge that the model was told of, or one side of it. */

import { ToolFailure, type Resource } from "@omp/agent";
import { HostError, type Files } from "@omp/host";
import { regionIn, sideOf, SIDES, type Conflict, type Conflicts } from "@omp/tools";
import type { Address } from "./address.ts";
import type { Scheme } from "./scheme.ts";

export interface ConflictDeps {
  readonly conflicts: Conflicts;
  readonly files: Pick<Files, "read">;
}

export function conflictScheme(deps: ConflictDeps | undefined): Scheme {
  return {
    async find(address) {
      const { conflict, side } = named(address, deps?.conflicts);
      const region = regionIn(await textNow(conflict, deps!.files), conflict);
      if (!region) throw stale(conflict);
      const text = side === undefined ? region.text : sideOf(region, side);
      if (text === undefined) throw new ToolFailure(`Conflict ${conflict.id} has no base`);
      return textResource(text);
    },
  };
}

function named({ host, path }: Address, conflicts: Conflicts | undefined) {
  if (host === "*") {
    throw new ToolFailure("conflict://* can only be written: it resolves every conflict at once.");
  }
  const conflict = /^\d+$/.test(host) ? conflicts?.find(Number(host)) : undefined;
  if (!conflict) {
    const known = conflicts?.all().map(({ id }) => id) ?? [];
    const list = known.length === 0 ? "" : ` Known: ${known.join(", ")}.`;
    throw new ToolFailure(
      `Unknown conflict: ${host}.${list} Read <path>:conflicts to find conflicts.`,
    );
  }
  const side = SIDES.find((known) => known === path);
  if (path !== "" && !side) {
    throw new ToolFailure(`A conflict has the sides ${SIDES.join(", ")}, got: ${path}`);
  }
  return { conflict, side };
}

async function textNow({ path, ...conflict }: Conflict, files: ConflictDeps["files"]) {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await files.read(path));
  } catch (error) {
    if (error instanceof HostError) throw stale({ path, ...conflict });
    throw error;
  }
}

function stale({ id, path }: Conflict): ToolFailure {
  return new ToolFailure(`Conflict ${id} is no longer as it was. Read ${path}:conflicts again.`);
}

function textResource(text: string): Resource {
  return { contentType: "text/plain", text: () => Promise.resolve(text) };
}
