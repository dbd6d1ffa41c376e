/** How big a file and its parts are. */

import { Visitor, type Node, type Program, type TSSignature } from "oxc-parser";
import type { LineOf } from "./lines.ts";

export interface Measure {
  readonly name: string;
  readonly size: number;
}

/** The biggest of each kind; a name says where to look. */
export interface Sizes {
  readonly lines: number;
  readonly methods: Measure;
  readonly functionLines: Measure;
  readonly members: Measure;
}

const none: Measure = { name: "", size: 0 };

export function readSizes(program: Program, source: string, lineOf: LineOf): Sizes {
  const classes: Measure[] = [];
  const functions: Measure[] = [];
  const interfaces: Measure[] = [];
  const measureFunction = (node: { start: number; end: number }, name: string) =>
    void functions.push({ name, size: lineOf(node.end) - lineOf(node.start) + 1 });
  new Visitor({
    ClassBody(node) {
      const methods = node.body.filter((member) => member.type === "MethodDefinition");
      classes.push({ name: `class at line ${lineOf(node.start)}`, size: methods.length });
    },
    FunctionDeclaration: (node) => measureFunction(node, node.id?.name ?? "function"),
    FunctionExpression: (node) => measureFunction(node, at(node)),
    ArrowFunctionExpression: (node) => measureFunction(node, at(node)),
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type !== "TSInterfaceDeclaration") return;
      const members = declaration.body.body;
      if (members.some(isCallable)) {
        interfaces.push({ name: declaration.id.name, size: members.length });
      }
    },
  }).visit(program);
  return {
    lines: source.split("\n").length - (source.endsWith("\n") ? 1 : 0),
    methods: biggest(classes),
    functionLines: biggest(functions),
    members: biggest(interfaces),
  };

  function at(node: Node): string {
    return `function at line ${lineOf(node.start)}`;
  }
}

/** Only an interface that can be called is a port; a record of plain values may be as wide as its format. */
function isCallable(member: TSSignature): boolean {
  if (member.type === "TSMethodSignature") return true;
  if (member.type !== "TSPropertySignature") return false;
  return member.typeAnnotation?.typeAnnotation.type === "TSFunctionType";
}

function biggest(measures: readonly Measure[]): Measure {
  return measures.reduce((best, next) => (next.size > best.size ? next : best), none);
}
