/** What an archive says about one thing in it, and the names such things may have. */

export interface Member {
  /** With `/` between its parts, without one at either end. */
  readonly path: string;
  readonly kind: "file" | "directory" | "link";
  /** As the archive says; it may lie. */
  readonly size: number;
}

/** Undefined for a name that leaves the archive: nothing of ours may follow it. */
export function memberPath(name: string): string | undefined {
  const parts = name
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return parts.includes("..") || parts.length === 0 ? undefined : parts.join("/");
}

const strict = { fatal: true } as const;

/** UTF-8 where it can be, else byte by byte: old archives do not say what they mean. */
export function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", strict).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return Buffer.from(bytes).toString("latin1");
    throw error;
  }
}
