/** SQLite databases through the read tool: looked at, never changed. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "../../../../test/needs.ts";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { read } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (path: string) => bench.call(read, { path });
const textOf = async (path: string) => (await call(path)).text;
const refusal = async (path: string) => {
  const { isError, text } = await call(path);
  return isError ? text : `not refused: ${text}`;
};

function database(name: string, ...statements: readonly string[]): string {
  const path = join(bench.cwd, name);
  const db = new Database(path, { create: true });
  for (const statement of statements) db.run(statement);
  db.close();
  return path;
}

const USERS = [
  "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO users SELECT i, 'user ' || i FROM n",
  "CREATE TABLE notes (code TEXT PRIMARY KEY, body) WITHOUT ROWID",
  "INSERT INTO notes VALUES ('a:b', NULL)",
  "CREATE TABLE pairs (a, b, PRIMARY KEY (a, b))",
  "INSERT INTO pairs VALUES (1, x'0102'), (2, 9223372036854775807)",
  "CREATE INDEX by_name ON users (name)",
  "ANALYZE",
];

describe("tables and rows", () => {
  test("READ-41 a database needs its name and its content", async () => {
    bench.file("x.db", "just text");
    expect(await textOf("x.db")).toContain("1:just text");
    copyFileSync(database("real.sqlite", ...USERS), join(bench.cwd, "named.txt"));
    expect(await textOf("named.txt")).toContain("SQLite database");
    for (const ending of ["sqlite3", "db", "db3"]) {
      copyFileSync(join(bench.cwd, "real.sqlite"), join(bench.cwd, `copy.${ending}`));
      expect(await textOf(`copy.${ending}`)).toContain("users (30 rows)");
    }
  });

  test("READ-42 READ-78 tables with counts, schema with samples, one row by its key", async () => {
    database("a.sqlite", ...USERS);
    expect(await textOf("a.sqlite")).toBe("notes (1 row)\npairs (2 rows)\nusers (30 rows)");
    const schema = await textOf("a.sqlite:users");
    expect(schema).toBe(
      [
        "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);",
        "",
        "Sample rows:",
        "| id  | name   |",
        "|-----|--------|",
        ...[1, 2, 3, 4, 5].map((id) => `| ${id}   | user ${id} |`),
        "",
        "[25 more rows; append :users?limit=20&offset=5 to the database path to continue]",
      ].join("\n"),
    );
    expect(await textOf("a.sqlite:users:3")).toBe("id: 3\nname: user 3");
    expect(await textOf("a.sqlite:notes:a:b")).toBe("code: a:b\nbody: NULL");
    expect(await textOf("a.sqlite:pairs:2")).toBe("a: 2\nb: 9223372036854775807");
    expect(await refusal("a.sqlite:users:99")).toBe("No row '99' in users");
    expect(await refusal("a.sqlite:user")).toContain("Tables: users, notes, pairs");
    database("empty.db", "CREATE TABLE x (a)", "DROP TABLE x");
    expect(await textOf("empty.db")).toBe("(no tables)");
  });

  test("READ-43 pages of rows, and each refusal", async () => {
    database("a.sqlite", ...USERS);
    const page = await textOf("a.sqlite:users?limit=2&offset=27&order=id:desc&where=id < 30");
    expect(page).toContain("| 2   | user 2 |");
    expect(page).toContain("| 1   | user 1 |");
    expect(page).not.toContain("more row");
    const first = await textOf("a.sqlite:users?limit=2&order=name");
    expect(first).toContain("| 10  | user 10 |");
    expect(first).toEndWith(
      "[28 more rows; append :users?limit=2&offset=2&order=name:asc to the database path to continue]",
    );
    expect((await textOf("a.sqlite:users?offset=0")).match(/user \d+/g)).toHaveLength(20);
    database(
      "long.db",
      "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i FROM n",
    );
    expect((await textOf("long.db:t?limit=9999")).split("\n")).toHaveLength(504);
    const wrong = [
      "users?order=nope",
      "users?limit=x",
      "users?limit=0",
      "users?offset=-1",
      "users?color=red",
      "users:3?limit=1",
      "?limit=1",
      ...[
        "1; DROP TABLE users",
        "1 -- x",
        "1 /* x */",
        "1 LIMIT 1",
        "1 UNION SELECT 1",
        "x OFFSET 1",
      ].map((where) => `users?where=${where}`),
      "users?where=pragma x",
      "users?where=attach x",
      "users?where=nope = 1",
    ];
    for (const rest of wrong) {
      const path = rest.startsWith("?") ? `a.sqlite${rest}` : `a.sqlite:${rest}`;
      expect(await refusal(path)).not.toStartWith("not refused");
    }
    expect(await textOf("a.sqlite:users?where=id%3D3")).toContain("user 3");
  });

  test("READ-44 one statement, at most 1000 rows, and nothing can be changed", async () => {
    const path = database("a.sqlite", ...USERS);
    const before = readFileSync(path);
    expect(
      await textOf("a.sqlite?q=SELECT count(*) AS n, ';' AS s FROM users WHERE name LIKE '%3%'"),
    ).toBe("| n   | s   |\n|-----|-----|\n| 4   | ;   |");
    expect(await textOf("a.sqlite?q=select a, a, b from pairs limit 1;")).toContain("<2 bytes>");
    const long =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 5000";
    const rows = await textOf(`a.sqlite?q=${long}`);
    expect(rows).toContain("| 1000 |");
    expect(rows).not.toContain("| 1001 |");
    expect(rows).toEndWith("[More rows; add LIMIT and OFFSET to the query]");
    expect(await textOf("a.sqlite?q=SELECT * FROM users WHERE 0")).toBe("(no rows)");
    for (const write of [
      "DELETE FROM users",
      "INSERT INTO users VALUES (99, 'x')",
      "UPDATE users SET name = 'x'",
      "DROP TABLE users",
      "CREATE TABLE x (a)",
      "WITH x AS (SELECT 1) DELETE FROM users",
      "PRAGMA user_version = 7",
    ]) {
      expect(await refusal(`a.sqlite?q=${write}`)).toBe("attempt to write a readonly database");
    }
    for (const wrong of [
      "",
      "SELECT 1; DELETE FROM users",
      "SELEC 1",
      `VACUUM INTO '${join(bench.cwd, "out.db")}'`,
      `/* x */ vacuum into '${join(bench.cwd, "out.db")}'`,
      `ATTACH '${join(bench.cwd, "out.db")}' AS o`,
    ]) {
      expect(await refusal(`a.sqlite?q=${wrong}`)).not.toStartWith("not refused");
    }
    expect(await refusal("a.sqlite:users?q=SELECT 1")).toContain("alone");
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(bench.cwd)).toEqual(["a.sqlite"]);
  });

  test("READ-45 a table is at most 120 wide, a column 40", async () => {
    const columns = Array.from({ length: 30 }, (_, at) => `c${at}`).join(", ");
    const values = Array.from({ length: 30 }, () => `'${"é".repeat(80)}'`).join(", ");
    database("w.db", `CREATE TABLE w (${columns})`, `INSERT INTO w VALUES (${values})`);
    const table = (await textOf("w.db:w")).split("Sample rows:\n")[1]!;
    for (const line of table.split("\n").slice(0, 3))
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(120);
    expect(table).toContain("more columns");
    const one = await textOf("w.db?q=SELECT c0 FROM w");
    expect(one.split("\n")[2]).toBe(`| ${"é".repeat(39)}… |`);
  });

  test("names and values cannot break out", async () => {
    const name = `we"ird'; DROP TABLE users; --`;
    database("i.db", "CREATE TABLE users (a)", `CREATE TABLE "${name.replaceAll('"', '""')}" (a)`);
    expect(await textOf(`i.db:${name}`)).toContain("(no rows)");
    expect(await refusal("i.db:users:1' OR '1'='1")).toStartWith("No row");
    expect(await textOf("i.db")).toContain("users (0 rows)");
  });
});

describe("files that are not at rest", () => {
  test("a log that a killed writer left behind counts, and stays as it is", async () => {
    const path = join(bench.cwd, "live.db");
    const db = new Database(path, { create: true });
    db.run("PRAGMA journal_mode = WAL");
    db.run("CREATE TABLE t (a)");
    db.run("INSERT INTO t VALUES ('in the log')");
    for (const ending of ["", "-wal"])
      copyFileSync(path + ending, join(bench.cwd, `left.db${ending}`));
    const files = ["left.db", "left.db-wal"].map((name) => join(bench.cwd, name));
    const before = files.map((file) => readFileSync(file));
    expect(await textOf("left.db:t")).toContain("in the log");
    expect(files.map((file, at) => readFileSync(file).equals(before[at]!))).toEqual([true, true]);
    const left = readdirSync(bench.cwd).filter((name) => name.startsWith("left"));
    expect(left.toSorted()).toEqual(["left.db", "left.db-wal"]);
    // And one that is open in another program.
    expect(await textOf("live.db:t")).toContain("in the log");
    db.run("INSERT INTO t VALUES ('later')");
    expect(await textOf("live.db:t")).toContain("later");
    db.close();
    expect(await textOf("live.db:t")).toContain("later");
    expect(readdirSync(bench.cwd).filter((name) => name.startsWith("live"))).toEqual(["live.db"]);
  });

  test("a database that another program has locked is told", async () => {
    const path = database("a.db", ...USERS);
    // Another program: what this one opens and closes would undo a lock of its own.
    const script = `
      import { Database } from "bun:sqlite";
      const db = new Database(process.argv.at(-1));
      db.run("BEGIN EXCLUSIVE");
      console.log("locked");
      await Bun.stdin.text();
      db.close();
    `;
    const holder = Bun.spawn([process.execPath, "-e", script, path], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await holder.stdout.getReader().read();
    expect(await refusal("a.db")).toContain("locked by another program");
    await holder.stdin.end();
    await holder.exited;
    expect(await textOf("a.db")).toContain("users (30 rows)");
  });

  test("a damaged database is told", async () => {
    const path = database("a.db", ...USERS);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x55, 100, bytes.length));
    expect(await refusal("a.db")).toContain("damaged");
  });

  test("a query that never ends is ended with the call", async () => {
    database("a.db", ...USERS);
    const controller = new AbortController();
    const endless =
      "a.db?q=WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    const reading = bench.call(read, { path: endless }, controller.signal);
    setTimeout(() => controller.abort(), 100);
    expect(await reading.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  });

  needs("sqlite3")("the rows are those that sqlite3 shows", async () => {
    const path = database("a.db", ...USERS);
    const { stdout } = Bun.spawnSync(["sqlite3", path, "SELECT name FROM users ORDER BY id"]);
    const shown = (await textOf("a.db:users?limit=30")).match(/user \d+/g);
    expect([...shown!]).toEqual(stdout.toString().trim().split("\n"));
  });
});
