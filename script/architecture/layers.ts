/** Who may import whom: packages, rooms, doors, and the dependencies a manifest lists. */

import type { Architecture } from "../architecture.ts";
import type { Import } from "./imports.ts";
import { addressOf, isWithin, packageOf, resolve, type SourceFile, type Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

export function checkLayers(tree: Tree, map: Architecture): Violation[] {
  return [...tree.files.values()]
    .filter((file) => file.kind !== "tool")
    .flatMap((file) =>
      file.facts.imports.flatMap((edge) => {
        const broken = judge(tree, map, file, edge);
        return broken ? [{ file: file.path, line: edge.line, ...broken }] : [];
      }),
    );
}

type Judgement = Pick<Violation, "rule" | "detail">;

function judge(
  tree: Tree,
  map: Architecture,
  file: SourceFile,
  edge: Import,
): Judgement | undefined {
  const target = resolve(tree, file, edge.specifier);
  switch (target.to) {
    case "builtin":
      return undefined;
    case "npm":
      return mayDepend(tree, file, target.name);
    case "wall":
      return {
        rule: "wall",
        detail: `${edge.specifier} is not exported; ${target.package} has ${target.doors.join(", ") || "no doors"}`,
      };
    case "file":
      return edge.specifier.startsWith(".")
        ? judgePath(map, file, target.path)
        : (mayImportPackage(tree, map, file, edge, target.path) ??
            mayEnter(map, file, target.path));
  }
}

function judgePath(map: Architecture, file: SourceFile, path: string): Judgement | undefined {
  if (!/\.\w+$/.test(path)) return { rule: "ending", detail: `write the ending: ${path}.ts` };
  const to = packageOf(path);
  // The shared means of tests live outside the packages, where no manifest can name them.
  if (to === "" && file.kind === "test" && path.startsWith("test/")) return undefined;
  if (to === "") return { rule: "package", detail: `${path} is not part of a package` };
  if (to !== file.package) {
    return { rule: "package", detail: `import ${map.scope}/${to} by name, not by path` };
  }
  if (file.kind === "source" && (/\.test\.tsx?$/.test(path) || path.includes("/test/"))) {
    return { rule: "package", detail: "source may not import a test" };
  }
  return mayEnter(map, file, path);
}

function mayImportPackage(
  tree: Tree,
  map: Architecture,
  file: SourceFile,
  edge: Import,
  path: string,
): Judgement | undefined {
  const to = packageOf(path);
  if (to === file.package) return undefined;
  const isTestkitInTest = to === "testkit" && file.kind === "test";
  if (!isTestkitInTest && !map.packages[file.package]?.includes(to)) {
    return { rule: "package", detail: `${file.package} may not import ${to}` };
  }
  if (map.typesOnly.includes(file.package) && edge.kind !== "type") {
    return { rule: "package", detail: `${file.package} holds types only: use import type` };
  }
  return mayDepend(tree, file, `${tree.scope}/${to}`);
}

function mayDepend(tree: Tree, file: SourceFile, name: string): Judgement | undefined {
  const own = tree.manifests.get(file.package);
  if (own?.dependencies.has(name)) return undefined;
  const isTest = file.kind === "test";
  const isForTests =
    own?.devDependencies.has(name) || tree.manifests.get("")?.devDependencies.has(name);
  if (isTest && isForTests) return undefined;
  return {
    rule: "dependency",
    detail: `${name} is not a dependency of packages/${file.package}/package.json`,
  };
}

/** Rooms, reach and doors: rules for what ships. Tests may look into any room of their package. */
function mayEnter(map: Architecture, file: SourceFile, path: string): Judgement | undefined {
  if (file.kind === "test") return undefined;
  const from = file.address;
  const to = addressOf(path);
  return (
    blockedByRoom(map, from, to) ?? blockedByReach(map, from, to) ?? blockedByDoor(map, from, to)
  );
}

function blockedByRoom(map: Architecture, from: string, to: string): Judgement | undefined {
  const home = packageOfAddress(from);
  if (packageOfAddress(to) !== home) return undefined;
  const isHall = (address: string) => map.halls.includes(address);
  if (isHall(from) && !isHall(to)) {
    return { rule: "room", detail: `${from} is a hall: it may not import ${to}` };
  }
  if (isHall(to)) return undefined;
  for (const [room, allowed] of Object.entries(map.rooms)) {
    if (!isWithin(from, room) || isWithin(to, room)) continue;
    if (allowed.some((other) => isWithin(to, `${home}/${other}`))) continue;
    return { rule: "room", detail: `${room} may not import ${to}` };
  }
  return undefined;
}

function blockedByReach(map: Architecture, from: string, to: string): Judgement | undefined {
  const target = packageOfAddress(to);
  if (target === packageOfAddress(from)) return undefined;
  for (const [room, allowed] of Object.entries(map.reach)) {
    if (!isWithin(from, room) || allowed.includes(target)) continue;
    return { rule: "room", detail: `${room} may not import ${target}` };
  }
  return undefined;
}

function blockedByDoor(map: Architecture, from: string, to: string): Judgement | undefined {
  for (const [place, door] of Object.entries(map.doors)) {
    if (!isWithin(to, place) || isWithin(from, place)) continue;
    if (door.open.some((guest) => isWithin(from, guest))) continue;
    return { rule: "door", detail: `${from} may not import ${place}: ${door.instead}` };
  }
  return undefined;
}

function packageOfAddress(address: string): string {
  return address.split("/", 1)[0] ?? "";
}
