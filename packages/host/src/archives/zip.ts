/** Zip files: the index at their end, and single members. Nothing is trusted, and nothing is unpacked past a limit. */

import { codeOf } from "@omp/std";
import zlib from "node:zlib";
import { HostError } from "../errors.ts";
import { memberPath, nameOf, type Member } from "./member.ts";
import type { ByteSource } from "./source.ts";

export interface ZipMember extends Member {
  readonly offset: number;
  readonly packedSize: number;
  readonly method: number;
  readonly crc: number;
  readonly isEncrypted: boolean;
}

const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_MEMBERS = 200_000;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const LONGEST_COMMENT = 0xffff;
const HUGE = 0xffffffff;
const LIE = "it is not what it claims";

/** Of members with the same name the last one counts, as everywhere. @throws HostError */
export async function zipMembers(source: ByteSource): Promise<readonly ZipMember[]> {
  const { count, size, offset } = await findIndex(source);
  if (size > MAX_INDEX_BYTES || count > MAX_MEMBERS) {
    throw new HostError("too-large", `it has more than ${MAX_MEMBERS} members`);
  }
  const index = await source.read(offset, size);
  const view = viewOf(index);
  const members = new Map<string, ZipMember>();
  for (let at = 0; at + 46 <= index.length && view.getUint32(at, true) === ENTRY;) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    ) as [number, number, number];
    const member = memberAt(index, at, nameLength, extraLength);
    if (member) members.set(member.path, member);
    at += 46 + nameLength + extraLength + commentLength;
    if (members.size > MAX_MEMBERS) throw new HostError("too-large", "it has too many members");
  }
  if (members.size === 0 && count > 0) throw broken("its index cannot be read");
  return [...members.values()];
}

/** @throws HostError */
export async function zipContent(
  source: ByteSource,
  member: ZipMember,
  maxBytes: number,
): Promise<Uint8Array> {
  const { offset, packedSize, method, size, crc } = member;
  if (member.isEncrypted) throw new HostError("encrypted", "it is encrypted");
  if (size > maxBytes || packedSize > maxBytes) throw tooLarge(maxBytes);
  const header = await source.read(offset, 30);
  const view = viewOf(header);
  if (header.length < 30 || view.getUint32(0, true) !== LOCAL)
    throw broken("it is not in its place");
  const start = offset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
  const packed = await source.read(start, packedSize);
  if (packed.length < packedSize) throw broken("it ends too early");
  const content = await unpack(packed, method, size);
  if (content.length !== size || zlib.crc32(content) !== crc) throw broken(LIE);
  return content;
}

/** Never more than what was claimed, which has been found small enough. */
async function unpack(packed: Uint8Array, method: number, size: number): Promise<Uint8Array> {
  if (method === 0) return packed;
  if (method !== 8) throw new HostError("damaged", `its compression (${method}) is not known here`);
  return new Promise((resolve, reject) => {
    zlib.inflateRaw(packed, { maxOutputLength: Math.max(1, size) }, (error, content) => {
      if (!error) return resolve(content);
      const isMore = codeOf(error) === "ERR_BUFFER_TOO_LARGE";
      reject(broken(isMore ? LIE : "it cannot be unpacked"));
    });
  });
}

interface Index {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

async function findIndex(source: ByteSource): Promise<Index> {
  const tailLength = Math.min(source.size, 22 + LONGEST_COMMENT);
  const tail = await source.read(source.size - tailLength, tailLength);
  const view = viewOf(tail);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail[at] !== 0x50 || view.getUint32(at, true) !== END) continue;
    const index = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
    const isHuge = index.count === 0xffff || index.size === HUGE || index.offset === HUGE;
    return (isHuge && (await findLongIndex(source, view, at - 20))) || index;
  }
  throw broken("it has no index");
}

/** Archives of more than 4 GB or 65,535 members keep the real numbers elsewhere. */
async function findLongIndex(
  source: ByteSource,
  tail: DataView,
  at: number,
): Promise<Index | undefined> {
  if (at < 0 || tail.getUint32(at, true) !== LOCATOR_64) return undefined;
  const record = await source.read(Number(tail.getBigUint64(at + 8, true)), 56);
  const view = viewOf(record);
  if (record.length < 56 || view.getUint32(0, true) !== END_64) throw broken("it has no index");
  const [count, size, offset] = [32, 40, 48].map((field) => Number(view.getBigUint64(field, true)));
  return { count: count!, size: size!, offset: offset! };
}

function memberAt(
  index: Uint8Array,
  at: number,
  nameLength: number,
  extraLength: number,
): ZipMember | undefined {
  const view = viewOf(index);
  const nameEnd = at + 46 + nameLength;
  const name = nameOf(index.subarray(at + 46, nameEnd));
  const path = memberPath(name);
  if (path === undefined || nameEnd > index.length) return undefined;
  const sizes = {
    size: view.getUint32(at + 24, true),
    packedSize: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  };
  const isLink = view.getUint16(at + 38 + 2, true) >> 12 === 0o12;
  return {
    path,
    kind: /[/\\]$/.test(name) ? "directory" : isLink ? "link" : "file",
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    ...sizes,
    ...longSizes(index.subarray(nameEnd, nameEnd + extraLength), sizes),
  };
}

type Sizes = Pick<ZipMember, "size" | "packedSize" | "offset">;

/** What does not fit into 32 bits stands in an extra field, in this order. */
function longSizes(extra: Uint8Array, sizes: Sizes): Partial<Sizes> {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      const fields = (["size", "packedSize", "offset"] as const).filter(
        (field) => sizes[field] === HUGE,
      );
      const room = Math.min(length, extra.length - at - 4) >> 3;
      const values = fields
        .slice(0, room)
        .map((field, nth) => [field, Number(view.getBigUint64(at + 4 + nth * 8, true))]);
      return Object.fromEntries(values) as Partial<Sizes>;
    }
    at += 4 + length;
  }
  return {};
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function broken(why: string): HostError {
  return new HostError("damaged", why);
}

function tooLarge(maxBytes: number): HostError {
  return new HostError("too-large", `it is larger than ${maxBytes} bytes`);
}
