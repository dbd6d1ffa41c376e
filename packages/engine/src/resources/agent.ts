/** `agent://<id>`: what an agent gave back; `agent://<id>/a/b` and `agent://<id>?q=a.b[0]` take a part of its JSON. */

import { ToolFailure, type Resource } from "@omp/agent";
import type { ArtifactStore } from "@omp/session";
import { join } from "node:path";
import type { Address } from "./address.ts";
import { extract, pathSteps, querySteps } from "./extract.ts";
import { available, fileResource, namesIn, type Scheme } from "./scheme.ts";

/** One part of a path that is not hidden and names no other folder. */
const ID = /^(?!\.)[^/\\\0]+$/;

export function agentScheme(store: Pick<ArtifactStore, "folder">): Scheme {
  return {
    async find(address) {
      const { host: id } = address;
      const { folder } = store;
      if (folder === undefined) throw new ToolFailure("No session - agent outputs unavailable");
      if (!ID.test(id)) throw new ToolFailure(`agent:// ID must be a plain name, got: ${id}`);
      const steps = stepsOf(address);
      const names = await namesIn(folder);
      if (!names) throw new ToolFailure("No artifacts directory found");
      if (!names.includes(`${id}.md`)) throw notFound(id, names);
      const whole = fileResource(join(folder, `${id}.md`), "text/markdown");
      return steps === undefined ? whole : part(id, steps, whole);
    },
  };
}

function stepsOf({ path, query }: Address): readonly string[] | undefined {
  const asked = query.get("q");
  if (asked === undefined) return path === "" ? undefined : pathSteps(path);
  if (path === "") return querySteps(asked);
  throw new ToolFailure("agent:// takes a path or a query, not both");
}

async function part(id: string, steps: readonly string[], whole: Resource): Promise<Resource> {
  const text = extract(await jsonOf(id, whole), steps);
  return { contentType: "application/json", isExtract: true, text: () => Promise.resolve(text) };
}

async function jsonOf(id: string, whole: Resource): Promise<unknown> {
  const text = await whole.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `agent://${id} is not JSON, so no part of it can be taken out`;
    throw new ToolFailure(message, undefined, { cause: error });
  }
}

function notFound(id: string, names: readonly string[]): ToolFailure {
  const ids = names.flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -3)] : []));
  return new ToolFailure(`Not found: ${id}. ${available(ids)}`);
}
