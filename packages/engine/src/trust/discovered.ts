/** Pieces by way of discovery: what its sources find in a project, hidden ones too, so that none waits in a shadow. */

import { discover, type Switches } from "../discovery/discovery.ts";
import type { Item, KindId, KindItems } from "../discovery/item.ts";
import { Look } from "../discovery/look.ts";
import { survey } from "../discovery/place.ts";
import { dataPieces, serverWhy, shellCommand } from "./listing.ts";
import { MCP } from "./places.ts";
import type { Piece, TrustPlace } from "./piece.ts";

const NOTHING_OFF: Switches = { sources: [], items: [], places: [] };

export function discoveredPieces(_folders: readonly string[], place: TrustPlace): readonly Piece[] {
  const look = new Look(survey(place));
  const of = <Id extends KindId>(id: Id): readonly KindItems[Id][] => {
    const { items, shadowed } = discover(id, look, NOTHING_OFF);
    const all = [...items, ...shadowed.map(({ item }) => item)];
    return all.filter(({ level }) => level === "project");
  };
  return [
    ...of("hook").map(({ path, stage }) => program("hook", path, `runs ${WHEN[stage]} tool calls`)),
    ...of("tool").map(({ path }) => program("tool", path, "a tool the model can run")),
    ...of("extension-module").map(({ path }) =>
      program("extension-module", path, "runs inside omp"),
    ),
    ...of("extension").map(({ path }) =>
      program("extension", path, "brings code, servers or settings"),
    ),
    ...of("mcp-server").map(({ path, name, definition }) => ({
      kind: "mcp-server",
      path,
      name,
      why: serverWhy(definition),
      fields: definition,
    })),
    ...of("settings").flatMap(({ path }: Item) => dataPieces(path, MCP)),
    ...of("slash-command").flatMap(({ path }) => shellCommand(path)),
  ];
}

const WHEN = { pre: "before", post: "after" } as const;

function program(kind: string, path: string, why: string): Piece {
  return { kind, path, why };
}
