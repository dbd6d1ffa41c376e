/** XML of office documents as a tree in which the order of things is kept. */

import { messageOf } from "@omp/std";
import { HostError } from "../errors.ts";

export interface Element {
  /** With its prefix, as in `w:p`. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

export type Node = Element | string;

export function parseXml(bytes: Uint8Array): Element {
  try {
    const tree: unknown = Bun.XML.parse(new TextDecoder().decode(bytes), { compact: false });
    return tree as Element;
  } catch (error) {
    // A tree that is too deep ends as a RangeError, a bomb of entities as a SyntaxError.
    throw new HostError("damaged", `its XML cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

export function elements({ children }: Element, name?: string): readonly Element[] {
  return children.filter(
    (child): child is Element =>
      typeof child !== "string" && "name" in child && (name === undefined || child.name === name),
  );
}

export function first(
  parent: Element | undefined,
  ...path: readonly string[]
): Element | undefined {
  let found = parent;
  for (const name of path) found = found && elements(found, name)[0];
  return found;
}

/** Every element of that name, however deep, in order. */
export function* all(parent: Element, name: string): Generator<Element> {
  for (const child of elements(parent)) {
    if (child.name === name) yield child;
    else yield* all(child, name);
  }
}

/** All text, in order. */
export function textIn(node: Node): string {
  if (typeof node === "string") return node;
  return "children" in node ? node.children.map(textIn).join("") : "";
}
