/** Which addresses belong to the open network. Everything else is somebody's inside. Pure. */

import { isIP } from "node:net";

/** Whether this is the address of a machine on the open network. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  switch (isIP(plain)) {
    case 4:
      return isPublicV4(v4Number(plain));
    case 6:
      return isPublicV6(v6Groups(plain));
    default:
      return false;
  }
}

/** First address and length of prefix of what is not public. */
const INSIDE_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  // Multicast, what is reserved, and the broadcast address.
  ["224.0.0.0", 3],
];

/** Machines of clouds answer here although the address looks like any other. */
const METADATA_V4 = ["168.63.129.16"].map(v4Number);

function isPublicV4(address: number): boolean {
  const isInside = INSIDE_V4.some(([first, length]) => {
    const shift = 32 - length;
    return address >>> shift === v4Number(first) >>> shift;
  });
  return !isInside && !METADATA_V4.includes(address);
}

function v4Number(address: string): number {
  return address.split(".").reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0);
}

/** Only 2000::/3 is given out, and some of it is not what it seems. */
function isPublicV6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = groups;
  // An address of the old kind in the clothes of the new: translated, or carried inside.
  if (isTranslated(groups)) return isPublicV4(joined(groups[6]!, groups[7]!));
  if (a === 0x2002) return isPublicV4(joined(b, c));
  if (a >> 13 !== 1) return false;
  if (a === 0x2001 && b < 0x200) return false;
  if (a === 0x2001 && b === 0xdb8) return false;
  return !(a === 0x3fff && b < 0x1000);
}

/** 64:ff9b::/96. What stands for itself in ::ffff:0:0/96 is never asked for as IPv6, so it is refused. */
function isTranslated([a, b, ...rest]: readonly number[]): boolean {
  return a === 0x64 && b === 0xff9b && rest.slice(0, 4).every((group) => group === 0);
}

function joined(high: number, low: number): number {
  return ((high << 16) | low) >>> 0;
}

function v6Groups(address: string): readonly number[] {
  const lastPart = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const text = lastPart ? lastPart[1]! + v4AsGroups(lastPart[2]!) : address;
  const [head = "", tail] = text.split("::");
  const groupsOf = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const before = groupsOf(head);
  if (tail === undefined) return before;
  const after = groupsOf(tail);
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

function v4AsGroups(address: string): string {
  const number = v4Number(address);
  return `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
}
