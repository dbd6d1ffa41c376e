/** Members of archives, named like `a.zip:src/x.ts`: their text, or why there is none. */

import { HostError, isArchiveName, type Archives } from "@omp/host";

export interface MemberName {
  readonly archive: string;
  readonly member: string;
}

export type MemberText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly why: string };

const MAX_BYTES = 4 * 1024 * 1024;

/** Undefined for a path that names no member. */
export function memberIn(entry: string): MemberName | undefined {
  for (let at = entry.indexOf(":"); at !== -1; at = entry.indexOf(":", at + 1)) {
    const archive = entry.slice(0, at);
    const member = entry.slice(at + 1).replace(/^\.?\//, "");
    if (isArchiveName(archive) && member !== "") return { archive, member };
  }
  return undefined;
}

/** @param archive absolute */
export async function memberText(
  { archive, member }: MemberName,
  archives: Archives,
  signal: AbortSignal,
): Promise<MemberText> {
  try {
    const bytes = await archives.read(archive, { member, maxBytes: MAX_BYTES }, signal);
    if (!bytes) return { kind: "unreadable", why: "not in the archive" };
    if (bytes.includes(0)) return { kind: "unreadable", why: "binary" };
    return { kind: "text", text: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { kind: "unreadable", why: error.message };
  }
}
