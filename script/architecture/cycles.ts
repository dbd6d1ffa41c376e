/** Import cycles. Types count: two files that need each other's types cannot be read apart. */

import type { Architecture } from "../architecture.ts";
import { addressOf, isWithin, resolve, type SourceFile, type Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

/** One violation per knot of files, with its shortest way round. */
export function checkCycles(tree: Tree, map: Architecture): Violation[] {
  const graph = graphOf(tree, map);
  return knots(graph).map((knot) => {
    const [first = ""] = knot;
    const rest = knot.length > 2 ? ` (one knot of ${knot.length} files)` : "";
    return {
      file: first,
      rule: "cycle",
      detail: shortestLoop(graph, first, new Set(knot)).join(" → ") + rest,
    };
  });
}

function graphOf(tree: Tree, map: Architecture): Graph {
  const sources = [...tree.files.values()].filter((file) => file.kind === "source");
  return new Map(
    sources
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((file) => [file.path, [...new Set(edgesOf(tree, map, file))].sort()]),
  );
}

function edgesOf(tree: Tree, map: Architecture, file: SourceFile): string[] {
  return file.facts.imports.flatMap(({ specifier, kind }) => {
    const target = resolve(tree, file, specifier);
    if (target.to !== "file" || !tree.files.has(target.path)) return [];
    return kind === "lazy" && isExcused(map, file.address, target.path) ? [] : [target.path];
  });
}

function isExcused(map: Architecture, from: string, path: string): boolean {
  const to = addressOf(path);
  return map.lazyCycles.some((pair) => isWithin(from, pair.from) && isWithin(to, pair.to));
}

/** Strongly connected parts (Tarjan) that hold a cycle, each sorted. */
function knots(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    onStack.add(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (onStack.has(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const knot = stack.splice(stack.lastIndexOf(file));
    for (const member of knot) onStack.delete(member);
    if (knot.length > 1 || graph.get(file)?.includes(file)) found.push(knot.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** Breadth first from `start` back to itself, without leaving the knot. */
function shortestLoop(graph: Graph, start: string, knot: ReadonlySet<string>): string[] {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1)!) ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next) || !knot.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [start];
}
