/** Everything a file imports, however it is written: statements, re-exports, `import()`, import types, `require`. */

import { Visitor, type Expression, type ImportDeclaration, type Program } from "oxc-parser";
import type { LineOf } from "./lines.ts";

/** "type" costs nothing at run time, "lazy" is loaded later. Every kind counts for layers and cycles. */
export type ImportKind = "value" | "type" | "lazy";

export interface Import {
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly line: number;
}

/** An import whose name is computed at run time cannot be known here and is left out. */
export function readImports(program: Program, lineOf: LineOf): Import[] {
  const imports: Import[] = [];
  const add = (specifier: string | undefined, kind: ImportKind, node: { start: number }) => {
    if (specifier !== undefined) imports.push({ specifier, kind, line: lineOf(node.start) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, isTypeOnly(node) ? "type" : "value", node),
    ExportNamedDeclaration: (node) =>
      add(node.source?.value, node.exportKind === "type" ? "type" : "value", node),
    ExportAllDeclaration: (node) =>
      add(node.source.value, node.exportKind === "type" ? "type" : "value", node),
    TSImportType: (node) => add(node.source.value, "type", node),
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type !== "TSExternalModuleReference") return;
      add(node.moduleReference.expression.value, node.importKind ?? "value", node);
    },
    ImportExpression: (node) => add(textOf(node.source), "lazy", node),
    CallExpression(node) {
      if (node.callee.type !== "Identifier" || node.callee.name !== "require") return;
      const [first] = node.arguments;
      if (first && first.type !== "SpreadElement") add(textOf(first), "lazy", node);
    },
  }).visit(program);
  return imports;
}

/** Bun loads nothing for `import { type A } from`, so it is as free as `import type`. */
function isTypeOnly(node: ImportDeclaration): boolean {
  if (node.importKind === "type") return true;
  return (
    node.specifiers.length > 0 &&
    node.specifiers.every((part) => part.type === "ImportSpecifier" && part.importKind === "type")
  );
}

function textOf(node: Expression): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}
