/** Tar files, packed or not, read from front to back in constant memory and never past a limit. */

import type { ByteSource } from "./source.ts";
import { HostError } from "../errors.ts";
import { memberPath, nameOf, type Member } from "./member.ts";
import { packedBytes, plainBytes, type Bytes } from "./tar-bytes.ts";

export type Packing = "none" | "gzip" | "zstd";

export interface TarWalk {
  readonly members: readonly Member[];
  /** A limit was reached before the end. */
  readonly isCut: boolean;
}

/** How much is unpacked to look for members. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const MAX_MEMBERS = 200_000;
/** Of what a header says in words: long names and the like. */
const MAX_WORDS = 1024 * 1024;
const BLOCK = 512;

/** @throws HostError */
export async function tarMembers(
  source: ByteSource,
  packing: Packing,
  signal: AbortSignal,
): Promise<TarWalk> {
  const members = new Map<string, Member>();
  const isCut = await walk(bytesOf(source, packing, signal), (member) => {
    members.set(member.path, member);
    return members.size < MAX_MEMBERS ? "skip" : "stop";
  });
  return { members: [...members.values()], isCut };
}

/** Undefined if there is no such file, in as much as is looked at. @throws HostError */
export async function tarContent(
  source: ByteSource,
  packing: Packing,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const bytes = bytesOf(source, packing, signal);
  let content: Uint8Array | undefined;
  await walk(bytes, async (member) => {
    if (member.path !== path || member.kind !== "file") return "skip";
    if (member.size > maxBytes) {
      throw new HostError("too-large", `it is larger than ${maxBytes} bytes`);
    }
    content = await bytes.take(member.size);
    if (content.length < member.size) throw new HostError("damaged", "it ends too early");
    return "taken";
  });
  return content;
}

function bytesOf(source: ByteSource, packing: Packing, signal: AbortSignal): Bytes {
  if (packing === "none") return plainBytes(source, signal);
  return packedBytes(source, packing, { maxBytes: MAX_UNPACKED_BYTES, signal });
}

type Next = "skip" | "taken" | "stop";

/** @returns whether a limit ended it */
async function walk(
  bytes: Bytes,
  visit: (member: Member) => Next | Promise<Next>,
): Promise<boolean> {
  let words: Words = {};
  let isFirst = true;
  try {
    for (;;) {
      const header = await bytes.take(BLOCK);
      if (header.length < BLOCK || header.every((byte) => byte === 0)) break;
      if (!isHeader(header)) {
        if (isFirst) throw new HostError("damaged", "it is no tar file");
        break;
      }
      isFirst = false;
      const type = String.fromCharCode(header[156]!);
      const size = words.size ?? numberAt(header, 124, 12);
      if (type in WORDS) {
        if (size > MAX_WORDS) throw new HostError("damaged", "a name in it is too long");
        words = { ...words, ...WORDS[type]!(await bytes.take(size)) };
        await bytes.skip(padding(size));
        continue;
      }
      const member = memberOf(header, type, size, words);
      words = {};
      const held = type === "0" || type === "\0" || type === "7" ? size : 0;
      const next = member ? await visit({ ...member }) : "skip";
      if (next === "stop") return true;
      await bytes.skip((next === "taken" ? 0 : held) + padding(held));
    }
    return bytes.isCut;
  } finally {
    await bytes.close();
  }
}

/** What a header in front of a member says about it. */
interface Words {
  readonly path?: string;
  readonly size?: number;
}

const WORDS: Readonly<Record<string, (bytes: Uint8Array) => Words>> = {
  L: (bytes) => ({ path: nameOf(bytes).replace(/\0.*$/s, "") }),
  K: () => ({}),
  g: () => ({}),
  x: extendedWords,
};

/** Lines of `<length> <key>=<value>\n`. */
function extendedWords(bytes: Uint8Array): Words {
  const found: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 ? 0 : Number(nameOf(bytes.subarray(at, space)));
    if (!(length > 0)) break;
    const [key = "", ...value] = nameOf(bytes.subarray(space + 1, at + length - 1)).split("=");
    found[key] = value.join("=");
    at += length;
  }
  const size = Number(found["size"]);
  return {
    ...(found["path"] === undefined ? {} : { path: found["path"] }),
    ...(Number.isSafeInteger(size) && size >= 0 && found["size"] !== "" ? { size } : {}),
  };
}

function memberOf(
  header: Uint8Array,
  type: string,
  size: number,
  words: Words,
): Member | undefined {
  const isUstar = textAt(header, 257, 5) === "ustar";
  const prefix = isUstar ? textAt(header, 345, 155) : "";
  const short = textAt(header, 0, 100);
  const name = words.path ?? (prefix === "" ? short : `${prefix}/${short}`);
  const path = memberPath(name);
  if (path === undefined) return undefined;
  if (type === "5" || name.endsWith("/")) return { path, kind: "directory", size: 0 };
  if (type === "0" || type === "\0" || type === "7") return { path, kind: "file", size };
  return type === "1" || type === "2" ? { path, kind: "link", size: 0 } : undefined;
}

function isHeader(header: Uint8Array): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : header[at]!;
  return sum === numberAt(header, 148, 8);
}

/** Octal digits, or the big number itself where the first bit is set. */
function numberAt(header: Uint8Array, at: number, length: number): number {
  if ((header[at]! & 0x80) === 0) {
    return Number.parseInt(textAt(header, at, length).trim() || "0", 8);
  }
  let value = header[at]! & 0x7f;
  for (let next = at + 1; next < at + length; next++) value = value * 256 + header[next]!;
  return value;
}

function textAt(header: Uint8Array, at: number, length: number): string {
  return nameOf(header.subarray(at, at + length)).replace(/\0.*$/s, "");
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
