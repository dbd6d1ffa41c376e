/** Sizes: said, never failed, so that a limit makes nobody split a thing in the wrong place. */

import type { Architecture, Limits } from "../architecture.ts";
import { resolve, type SourceFile, type Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

export function sizeWarnings(tree: Tree, map: Architecture): Violation[] {
  return [...tree.files.values()]
    .filter((file) => file.kind === "source")
    .flatMap((file) => overLimit(tree, file, { ...map.limits, ...map.debt[file.path] }));
}

/** A debt that is paid, or whose file is gone, leaves the map: the list only shrinks. */
export function checkDebt(tree: Tree, map: Architecture): Violation[] {
  return Object.keys(map.debt).flatMap((path) => {
    const file = tree.files.get(path);
    if (file && overLimit(tree, file, map.limits).length > 0) return [];
    return [{ file: path, rule: "debt", detail: "is paid or gone: remove it from the map" }];
  });
}

function overLimit(tree: Tree, file: SourceFile, limits: Limits): Violation[] {
  const { lines, methods, functionLines, members } = file.facts.sizes;
  const measured: Record<keyof Limits, { name: string; size: number }> = {
    lines: { name: "", size: lines },
    imports: { name: "", size: projectImports(tree, file) },
    methods,
    functionLines,
    members,
  };
  return (Object.keys(measured) as (keyof Limits)[]).flatMap((rule) => {
    const { name, size } = measured[rule];
    if (size <= limits[rule]) return [];
    return [
      { file: file.path, rule, detail: `${name ? `${name}: ` : ""}${size} > ${limits[rule]}` },
    ];
  });
}

function projectImports(tree: Tree, file: SourceFile): number {
  const specifiers = new Set(file.facts.imports.map((edge) => edge.specifier));
  return [...specifiers].filter((specifier) => {
    const { to } = resolve(tree, file, specifier);
    return to === "file" || to === "wall";
  }).length;
}
