/** Where a move in the tree leads and what it leaves behind. Pure. */

import { fieldsOf, type Fields, type SessionEntry } from "@omp/session";

export interface TreeTarget {
  /** Null is the empty conversation before the first entry. */
  readonly leafId: string | null;
  /** What was said there, to be said again another way. */
  readonly editorText?: string;
}

/** What the person wrote is gone back before, so that it can be written anew; all else is gone to. */
export function targetOf(entry: SessionEntry): TreeTarget {
  const said = saidIn(entry);
  if (!said) return { leafId: entry.id };
  return { leafId: entry.parentId, editorText: textOf(said.content) };
}

/** The entries of the old branch from where the new one parts from it, oldest first. */
export function abandonedBy(
  from: readonly SessionEntry[],
  to: readonly SessionEntry[],
): readonly SessionEntry[] {
  const kept = new Set(to.map(({ id }) => id));
  return from.filter(({ id }) => !kept.has(id));
}

/** What a person wrote, and where: the points that can be branched from. */
export function branchPoints(
  branch: readonly SessionEntry[],
): readonly { readonly entryId: string; readonly text: string }[] {
  return branch.filter(isUserMessage).map((entry) => ({
    entryId: entry.id,
    text: textOf(saidIn(entry)?.content),
  }));
}

export function isUserMessage(entry: SessionEntry): boolean {
  return entry.type === "message" && saidIn(entry) !== undefined;
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((block: Fields) =>
    block?.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
  return texts.join("\n");
}

/** Of a message of the person or of an extension in the person's place. */
function saidIn(entry: SessionEntry): { readonly content: unknown } | undefined {
  const { type, content, message } = fieldsOf(entry);
  if (type === "custom_message") return { content };
  if (type !== "message" || typeof message !== "object" || message === null) return undefined;
  const { role, content: said } = message as Fields;
  return role === "user" ? { content: said } : undefined;
}
