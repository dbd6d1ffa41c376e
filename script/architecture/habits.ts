/** Deeds that only some rooms may do: start programs, read the environment, print, swallow errors, keep state. */

import {
  Visitor,
  type Expression,
  type FunctionBody,
  type Program,
  type Statement,
} from "oxc-parser";
import type { LineOf } from "./lines.ts";

export interface Deed {
  readonly what: string;
  readonly line: number;
}

export type Habit =
  "spawn" | "environment" | "console" | "swallow" | "state" | "enum" | "export-all" | "declares";

export type Habits = Readonly<Record<Habit, readonly Deed[]>>;

export function readHabits(program: Program, lineOf: LineOf): Habits {
  const habits: Record<Habit, Deed[]> = {
    spawn: [],
    environment: [],
    console: [],
    swallow: [],
    state: [],
    enum: [],
    "export-all": [],
    declares: [],
  };
  const note = (habit: Habit, what: string, node: { start: number }) =>
    void habits[habit].push({ what, line: lineOf(node.start) });
  watchDoors(program, note);
  watchManners(program, note);
  for (const statement of program.body) noteState(statement, note);
  return habits;
}

type Note = (habit: Habit, what: string, node: { start: number }) => void;

/** Members of these objects are doors to the world that have a room of their own. */
const doors: Readonly<Record<string, Readonly<Record<string, Habit>>>> = {
  Bun: { spawn: "spawn", spawnSync: "spawn", $: "spawn", env: "environment" },
  process: { env: "environment" },
  "import.meta": { env: "environment" },
};

/** The same doors reached by an import. */
const doorModules: Readonly<Record<string, string>> = {
  bun: "Bun",
  process: "process",
  "node:process": "process",
};

function watchDoors(program: Program, note: Note): void {
  new Visitor({
    ImportDeclaration(node) {
      if (/^(node:)?child_process$/.test(node.source.value)) note("spawn", node.source.value, node);
      const owner = doorModules[node.source.value];
      if (!owner) return;
      for (const part of node.specifiers) {
        if (part.type !== "ImportSpecifier" || part.imported.type !== "Identifier") continue;
        noteMember(owner, part.imported.name, part);
      }
    },
    ImportExpression(node) {
      if (node.source.type !== "Literal") return;
      const name = String(node.source.value);
      if (/^(node:)?child_process$/.test(name)) note("spawn", name, node);
    },
    MemberExpression(node) {
      const owner = ownerName(node.object);
      if (owner === "console") return note("console", `console.${memberName(node) ?? "…"}`, node);
      if (owner) noteMember(owner, memberName(node), node);
    },
    VariableDeclarator(node) {
      const owner = node.init ? ownerName(node.init) : undefined;
      if (!owner || node.id.type !== "ObjectPattern") return;
      for (const part of node.id.properties) {
        if (part.type !== "Property" || part.key.type !== "Identifier") continue;
        noteMember(owner, part.key.name, part);
      }
    },
  }).visit(program);

  function noteMember(owner: string, member: string | undefined, node: { start: number }): void {
    const habit = member === undefined ? undefined : doors[owner]?.[member];
    if (habit) note(habit, `${owner}.${member}`, node);
  }
}

function ownerName(node: Expression | { type: "Super" }): string | undefined {
  if (node.type === "Identifier") return node.name;
  return node.type === "MetaProperty" ? "import.meta" : undefined;
}

function memberName(node: { computed: boolean; property: { type: string } }): string | undefined {
  const property = node.property as { type: string; name?: string; value?: unknown };
  if (!node.computed) return property.name;
  return typeof property.value === "string" ? property.value : undefined;
}

function watchManners(program: Program, note: Note): void {
  new Visitor({
    CatchClause(node) {
      if (!node.param) note("swallow", "catch {", node);
    },
    CallExpression(node) {
      if (node.callee.type !== "MemberExpression" || memberName(node.callee) !== "catch") return;
      const [handler] = node.arguments;
      const isFunction =
        handler?.type === "ArrowFunctionExpression" || handler?.type === "FunctionExpression";
      if (isFunction && handler.params.length === 0 && doesNothing(handler.body)) {
        note("swallow", ".catch(() => …)", node);
      }
    },
    TSEnumDeclaration: (node) => note("enum", `enum ${node.id.name}`, node),
    ExportAllDeclaration(node) {
      if (!node.exported) note("export-all", `export * from "${node.source.value}"`, node);
    },
    ClassDeclaration: (node) => note("declares", node.id?.name ?? "", node),
    FunctionDeclaration: (node) => note("declares", node.id?.name ?? "", node),
    TSInterfaceDeclaration: (node) => note("declares", node.id.name, node),
    TSTypeAliasDeclaration: (node) => note("declares", node.id.name, node),
  }).visit(program);
}

/** An empty body, or a value that was there before: the error leaves no trace. */
function doesNothing(body: FunctionBody | Expression | null): boolean {
  switch (body?.type) {
    case undefined:
    case "Literal":
    case "Identifier":
      return true;
    case "BlockStatement":
      return body.body.length === 0;
    case "ArrayExpression":
    case "ObjectExpression":
      return startsEmpty(body);
    case "UnaryExpression":
      return body.operator === "void" && body.argument.type === "Literal";
    default:
      return false;
  }
}

/** A `let`, or a container that starts empty, at the top of a module can only be there to change. */
function noteState(statement: Statement, note: Note): void {
  const declaration =
    statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (declaration?.type !== "VariableDeclaration" || declaration.declare) return;
  for (const { id, init } of declaration.declarations) {
    const name = id.type === "Identifier" ? id.name : "…";
    if (declaration.kind === "let" || declaration.kind === "var") {
      note("state", `${declaration.kind} ${name}`, declaration);
    } else if (init && startsEmpty(init)) {
      note("state", `${name} starts empty`, declaration);
    }
  }
}

const containers = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array"]);

function startsEmpty(node: Expression): boolean {
  if (node.type === "ArrayExpression") return node.elements.length === 0;
  if (node.type === "ObjectExpression") return node.properties.length === 0;
  if (node.type !== "NewExpression" || node.arguments.length > 0) return false;
  return node.callee.type === "Identifier" && containers.has(node.callee.name);
}
