/** `artifact://<n>`: the whole of an output of which the model was shown a part. */

import { ToolFailure } from "@omp/agent";
import { numberedArtifacts, type ArtifactStore } from "@omp/session";
import { join } from "node:path";
import { available, fileResource, namesIn, type Scheme } from "./scheme.ts";

type Store = Pick<ArtifactStore, "folder" | "kept">;

export function artifactScheme(store: Store): Scheme {
  return {
    async find({ host, path }) {
      const id = path === "" ? host : `${host}/${path}`;
      if (!/^\d+$/.test(id)) {
        throw new ToolFailure(`artifact:// ID must be numeric, got: ${id}`);
      }
      const { folder, kept } = store;
      if (folder === undefined) return keptText(kept, id);
      if (!(await namesIn(folder))) throw new ToolFailure("No artifacts directory found");
      const numbered = await numberedArtifacts(folder);
      const name = numbered.get(String(Number(id)));
      if (name === undefined) throw unknown(id, [...numbered.keys()]);
      return fileResource(join(folder, name), "text/plain");
    },
  };
}

/** A session without a file has its outputs in memory, if any. */
function keptText(kept: ReadonlyMap<string, string>, id: string) {
  if (kept.size === 0) throw new ToolFailure("No session - artifacts unavailable");
  const text = kept.get(String(Number(id)));
  if (text === undefined) throw unknown(id, [...kept.keys()]);
  return { contentType: "text/plain", text: () => Promise.resolve(text) };
}

function unknown(id: string, ids: readonly string[]): ToolFailure {
  return new ToolFailure(`Artifact ${id} not found. ${available(ids)}`);
}
