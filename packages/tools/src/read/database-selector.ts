/** What of a database is asked for: `db:table:key`, `db:table?limit=5`, `db?q=SELECT ...`. Pure. */

import { ToolFailure } from "@omp/agent";

export type DatabaseSelector =
  | { readonly kind: "tables" }
  | { readonly kind: "schema"; readonly table: string }
  | { readonly kind: "row"; readonly table: string; readonly key: string }
  | { readonly kind: "rows"; readonly table: string; readonly page: RowPage }
  | { readonly kind: "query"; readonly sql: string };

export interface RowPage {
  readonly limit: number;
  readonly offset: number;
  readonly order?: { readonly column: string; readonly isDescending: boolean };
  readonly where?: string;
}

export const DEFAULT_ROWS = 20;
const MAX_ROWS = 500;
const PARAMETERS = ["limit", "offset", "order", "where"];
/** With these a condition would be more than one. */
const REFUSED = /--|\/\*|;|\b(?:limit|offset|union|attach|pragma)\b/i;

/** @param inner what stands behind the file, with its sign */
export function databaseSelector(inner: string): DatabaseSelector {
  const mark = inner.indexOf("?");
  const names = (mark === -1 ? inner : inner.slice(0, mark)).replace(/^:/, "");
  const [table = "", ...keys] = names.split(":");
  if (mark === -1) return withoutQuery(table, keys);
  const parameters = parametersIn(inner.slice(mark + 1));
  const sql = parameters.get("q");
  if (sql !== undefined) {
    if (names !== "" || parameters.size > 1) {
      throw new ToolFailure(
        "?q= stands alone behind the database, without a table or other parameters.",
      );
    }
    if (sql.trim() === "") throw new ToolFailure("?q= needs a statement, as in ?q=SELECT 1.");
    return { kind: "query", sql };
  }
  if (table === "")
    throw new ToolFailure("Query parameters need a table, as in db.sqlite:users?limit=5.");
  if (keys.length > 0)
    throw new ToolFailure("A row is looked up by its key alone, without query parameters.");
  return { kind: "rows", table, page: pageOf(parameters) };
}

function withoutQuery(table: string, keys: readonly string[]): DatabaseSelector {
  if (table === "") return { kind: "tables" };
  return keys.length === 0
    ? { kind: "schema", table }
    : { kind: "row", table, key: keys.join(":") };
}

/** A statement may hold an `&`, so it is the rest. Only what is encoded as a whole is decoded. */
function parametersIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let rest = text; rest !== "";) {
    const [, name = "", value = "", more = ""] =
      /^(q)=([\s\S]*)$/.exec(rest) ?? /^([^=&]*)=?([^&]*)(?:&([\s\S]*))?$/.exec(rest) ?? [];
    found.set(name, decoded(value));
    rest = more;
  }
  return found;
}

function decoded(text: string): string {
  const spaced = /\s/.test(text) ? text : text.replaceAll("+", " ");
  try {
    return /%[0-9a-f]{2}/i.test(text) && !/\s/.test(text) ? decodeURIComponent(spaced) : spaced;
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function pageOf(parameters: ReadonlyMap<string, string>): RowPage {
  const unknown = [...parameters.keys()].filter((name) => !PARAMETERS.includes(name));
  if (unknown.length > 0) {
    throw new ToolFailure(
      `Unknown query parameter: ${unknown.join(", ")}. Known: ${PARAMETERS.join(", ")}, or q alone.`,
    );
  }
  const where = parameters.get("where");
  if (where !== undefined && REFUSED.test(where)) {
    throw new ToolFailure(
      "where is one condition: no comments, semicolons, LIMIT, OFFSET, UNION, ATTACH or PRAGMA. Use ?q=SELECT ... for more.",
    );
  }
  const order = orderOf(parameters.get("order"));
  return {
    limit: Math.min(MAX_ROWS, numberOf("limit", parameters.get("limit"), DEFAULT_ROWS, 1)),
    offset: numberOf("offset", parameters.get("offset"), 0, 0),
    ...(order && { order }),
    ...(where !== undefined && where.trim() !== "" && { where }),
  };
}

function numberOf(name: string, text: string | undefined, fallback: number, least: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least) return number;
  throw new ToolFailure(`${name} must be a whole number from ${least}, got: ${text}`);
}

function orderOf(text: string | undefined): RowPage["order"] {
  if (text === undefined) return undefined;
  const [, column = text, direction] = /^(.*):(asc|desc)$/i.exec(text) ?? [];
  return { column, isDescending: direction?.toLowerCase() === "desc" };
}
