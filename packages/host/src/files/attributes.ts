/** Extended attributes, access lists among them: a file that takes another's place takes them over where it may. */

import { ignore } from "@omp/std";

/** Elsewhere the calls have other names or arguments. */
const LIBRARIES: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: "libc.so.6" };
const MAX_BYTES = 64 * 1024;

/** Best effort: a file without its attributes is better than no file. */
export async function copyAttributes(from: string, to: string): Promise<void> {
  const library = LIBRARIES[process.platform];
  if (library === undefined) return;
  try {
    const { listxattr, getxattr, setxattr } = await openLibrary(library);
    const [source, target] = [textOf(from), textOf(to)];
    const names = new Uint8Array(MAX_BYTES);
    const length = Number(listxattr(source, names, BigInt(MAX_BYTES)));
    if (length <= 0) return;
    const value = new Uint8Array(MAX_BYTES);
    for (const name of Buffer.from(names.subarray(0, length)).toString().split("\0")) {
      if (name === "") continue;
      const size = getxattr(source, textOf(name), value, BigInt(MAX_BYTES));
      if (size >= 0) setxattr(target, textOf(name), value, BigInt(size), 0);
    }
  } catch (error) {
    ignore(error, "no such library, or no memory: the content is what matters");
  }
}

async function openLibrary(name: string) {
  const { dlopen, FFIType } = await import("bun:ffi");
  const { ptr, u64, i64, i32 } = FFIType;
  return dlopen(name, {
    listxattr: { args: [ptr, ptr, u64], returns: i64 },
    getxattr: { args: [ptr, ptr, ptr, u64], returns: i64 },
    setxattr: { args: [ptr, ptr, ptr, u64, i32], returns: i32 },
  }).symbols;
}

function textOf(text: string): Uint8Array {
  return Buffer.from(`${text}\0`);
}
