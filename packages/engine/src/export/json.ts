/** A session as one JSON document, in pieces: a long session never stands in memory a second time. */

import type { ExportData } from "./data.ts";

/** Pieces that together are `JSON.stringify(data)`. */
export function* jsonParts({ entries, ...rest }: ExportData): Generator<string> {
  const { header, leafId, ...extras } = rest;
  yield `{"header":${JSON.stringify(header)},"entries":[`;
  for (const [index, entry] of entries.entries()) {
    yield index === 0 ? JSON.stringify(entry) : `,${JSON.stringify(entry)}`;
  }
  yield `],"leafId":${JSON.stringify(leafId)}`;
  for (const [name, value] of Object.entries(extras)) {
    yield `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  yield "}";
}
