/** SQLite databases: tables, schemas, rows and queries. Nothing here can change one. */

import { textOutput, ToolFailure, type ToolOutput } from "@omp/agent";
import type { Databases, QueryResult } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import { databaseSelector, DEFAULT_ROWS, type RowPage } from "./database-selector.ts";
import type { ReadDetails } from "./details.ts";
import { asciiTable } from "./table.ts";
import type { Target } from "./target.ts";

const MAX_TABLES = 500;
const MAX_QUERY_ROWS = 1000;
const SAMPLE_ROWS = 5;

type Ask = (sql: string, ...params: readonly (string | number)[]) => Promise<QueryResult>;

export async function readDatabase(
  { path, inner = "", source }: Target,
  databases: Databases,
  signal: AbortSignal,
): Promise<ToolOutput<ReadDetails>> {
  const ask: Ask = async (sql, ...params) => {
    const results = await orFailure(databases.ask(path, [{ sql, params }], signal));
    return results[0]!;
  };
  const text = await answer(inner, ask);
  return textOutput(text, { kind: "file", resolvedPath: path, meta: { source } });
}

async function answer(inner: string, ask: Ask): Promise<string> {
  const wanted = databaseSelector(inner);
  switch (wanted.kind) {
    case "tables":
      return tableList(ask);
    case "schema":
      return schemaAndSample(await tableNamed(wanted.table, ask), ask);
    case "row":
      return oneRow(await tableNamed(wanted.table, ask), wanted.key, ask);
    case "rows":
      return someRows(await tableNamed(wanted.table, ask), wanted.page, ask);
    case "query":
      return queried(wanted.sql, ask);
  }
}

/** Those of SQLite itself are not the person's. */
const TABLES =
  "FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

async function tableList(ask: Ask): Promise<string> {
  const { rows } = await ask(`SELECT name ${TABLES} ORDER BY name`);
  const names = rows.map(([name]) => String(name));
  if (names.length === 0) return "(no tables)";
  const shown = names.slice(0, MAX_TABLES);
  const counts = await ask(
    shown.map((name) => `SELECT (SELECT count(*) FROM ${quoted(name)})`).join(" UNION ALL "),
  ).catch(unreadableView);
  const lines = shown.map((name, at) => {
    const count = counts?.rows[at]?.[0];
    return typeof count === "string"
      ? `${name} (${count} ${count === "1" ? "row" : "rows"})`
      : name;
  });
  const hidden = names.length - shown.length;
  return [...lines, ...(hidden > 0 ? [`[${hidden} more tables]`] : [])].join("\n");
}

/** A view that refers to something gone has no count; the names still help. */
function unreadableView(error: unknown): undefined {
  if (error instanceof ToolFailure) return undefined;
  throw error;
}

interface Table {
  readonly name: string;
  readonly sql: string;
}

async function tableNamed(wanted: string, ask: Ask): Promise<Table> {
  const { rows } = await ask(`SELECT name, sql ${TABLES}`);
  const found = rows.find(([name]) => name === wanted);
  if (found) return { name: wanted, sql: String(found[1] ?? "") };
  const known = rows.map(([name]) => name).slice(0, MAX_TABLES);
  throw new ToolFailure(
    `No table '${wanted}' in the database. Tables: ${known.join(", ") || "none"}`,
  );
}

async function schemaAndSample(table: Table, ask: Ask): Promise<string> {
  const { columns, rows } = await ask(`SELECT * FROM ${quoted(table.name)} LIMIT ${SAMPLE_ROWS}`);
  const total = await countOf(table, undefined, ask);
  const sample = rows.length === 0 ? "(no rows)" : asciiTable(columns, rows);
  const more = hintOf(table, { limit: DEFAULT_ROWS, offset: rows.length }, total);
  return `${table.sql};\n\nSample rows:\n${sample}${more}`;
}

async function oneRow(table: Table, key: string, ask: Ask): Promise<string> {
  const info = await ask(
    "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
    table.name,
  );
  const primary = info.rows.map(([name]) => String(name));
  const column = primary.length === 1 ? quoted(primary[0]!) : "rowid";
  const { columns, rows } = await ask(
    `SELECT * FROM ${quoted(table.name)} WHERE ${column} = ? LIMIT 1`,
    key,
  );
  const row = rows[0];
  if (!row) throw new ToolFailure(`No row '${key}' in ${table.name}`);
  return columns.map((name, at) => `${name}: ${row[at] ?? "NULL"}`).join("\n");
}

async function someRows(table: Table, page: RowPage, ask: Ask): Promise<string> {
  const { limit, offset, order, where } = page;
  if (order) await checkColumn(table, order.column, ask);
  const condition = where === undefined ? "" : ` WHERE (${where}\n)`;
  const sorted = order
    ? ` ORDER BY ${quoted(order.column)} ${order.isDescending ? "DESC" : "ASC"}`
    : "";
  const { columns, rows } = await ask(
    `SELECT * FROM ${quoted(table.name)}${condition}${sorted} LIMIT ${limit} OFFSET ${offset}`,
  );
  if (rows.length === 0) return "(no rows)";
  const total = await countOf(table, where, ask);
  return (
    asciiTable(columns, rows) + hintOf(table, { ...page, offset: offset + rows.length }, total)
  );
}

async function queried(sql: string, ask: Ask): Promise<string> {
  const statement = sql.trim().replace(/;\s*$/, "");
  checkSingle(statement);
  const { columns, rows, isCut } = await ask(limited(statement));
  if (rows.length === 0) return columns.length === 0 ? "(no result)" : "(no rows)";
  const table = asciiTable(columns, rows.slice(0, MAX_QUERY_ROWS));
  return isCut || rows.length > MAX_QUERY_ROWS
    ? `${table}\n\n[More rows; add LIMIT and OFFSET to the query]`
    : table;
}

/** What only selects is cut by the database itself, so that it need not make what nobody sees. */
function limited(statement: string): string {
  const bare = statement.replaceAll(QUOTED, " ");
  const isSelect = /^\s*(?:select|with|values)\b/i.test(bare);
  // A statement that changes something is to be refused in the words of the database.
  if (!isSelect || /\b(?:insert|update|delete|replace)\b(?!\s*\()/i.test(bare)) return statement;
  return `SELECT * FROM (${statement}\n) LIMIT ${MAX_QUERY_ROWS + 1}`;
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g;

function checkSingle(sql: string): void {
  if (!sql.replaceAll(QUOTED, " ").includes(";")) return;
  throw new ToolFailure("?q= takes one statement.");
}

async function checkColumn(table: Table, column: string, ask: Ask): Promise<void> {
  const { rows } = await ask("SELECT name FROM pragma_table_info(?)", table.name);
  const names = rows.map(([name]) => String(name));
  if (names.includes(column)) return;
  throw new ToolFailure(`No column '${column}' in ${table.name}. Columns: ${names.join(", ")}`);
}

async function countOf({ name }: Table, where: string | undefined, ask: Ask): Promise<number> {
  const condition = where === undefined ? "" : ` WHERE (${where}\n)`;
  const { rows } = await ask(`SELECT count(*) FROM ${quoted(name)}${condition}`);
  return Number(rows[0]?.[0] ?? 0);
}

function hintOf(table: Table, { limit, offset, order, where }: RowPage, total: number): string {
  const left = total - offset;
  if (left <= 0) return "";
  const more = [
    `limit=${limit}`,
    `offset=${offset}`,
    ...(order ? [`order=${order.column}:${order.isDescending ? "desc" : "asc"}`] : []),
    ...(where === undefined ? [] : [`where=${where}`]),
  ].join("&");
  const rows = `${left} more ${left === 1 ? "row" : "rows"}`;
  return `\n\n[${rows}; append :${table.name}?${more} to the database path to continue]`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
