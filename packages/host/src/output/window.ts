/** The beginning and the end of a stream of bytes, in constant memory. */

const LINE_FEED = 0x0a;
const MAX_PART_OF_LINE = 1024;

export interface Window {
  readonly totalBytes: number;
  push(bytes: Uint8Array): void;
  /** The first and the last bytes, cut between characters, the last ones between lines. They do not overlap. */
  ends(
    headBytes: number,
    tailBytes: number,
  ): { readonly head: Uint8Array; readonly tail: Uint8Array };
}

/** @param headBytes and tailBytes: the most that `ends` will be asked for */
export function createWindow(headBytes: number, tailBytes: number): Window {
  const head = Buffer.allocUnsafe(headBytes);
  const tail = createTail(tailBytes);
  let totalBytes = 0;
  return {
    get totalBytes() {
      return totalBytes;
    },
    push(bytes) {
      if (totalBytes < headBytes) head.set(bytes.subarray(0, headBytes - totalBytes), totalBytes);
      totalBytes += bytes.length;
      tail.push(bytes);
    },
    ends(wantedHead, wantedTail) {
      const first = wholeCharacters(head.subarray(0, Math.min(wantedHead, totalBytes)));
      const room = Math.min(wantedTail, totalBytes - first.length);
      const last = tail.last(room);
      const isWhole = first.length + last.length === totalBytes;
      return { head: first, tail: isWhole ? last : fromLine(last) };
    },
  };
}

/** The last bytes of a stream; they move to the front when the room is used up. */
function createTail(maxBytes: number) {
  let room = Buffer.allocUnsafe(Math.min(8192, maxBytes * 2));
  let end = 0;
  const makeRoom = (needed: number): void => {
    if (end + needed <= room.length) return;
    const kept = room.subarray(Math.max(0, end - maxBytes), end);
    if (room.length < maxBytes * 2) {
      room = Buffer.allocUnsafe(
        Math.min(maxBytes * 2, Math.max(room.length * 4, kept.length + needed)),
      );
    }
    room.set(kept);
    end = kept.length;
  };
  return {
    push(bytes: Uint8Array): void {
      const last = bytes.subarray(Math.max(0, bytes.length - maxBytes));
      makeRoom(last.length);
      room.set(last, end);
      end += last.length;
    },
    last: (count: number): Uint8Array => room.subarray(Math.max(0, end - count), end),
  };
}

/** Without a character at the end that is not whole. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > 0 && isContinuation(bytes[start])) start--;
  const first = bytes[start] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return bytes.length - start < needed ? bytes.subarray(0, Math.max(0, start)) : bytes;
}

/** From the beginning of a line, if one begins soon: part of a line can mean something else. */
function fromLine(bytes: Uint8Array): Uint8Array {
  const start = bytes.indexOf(LINE_FEED) + 1;
  const isSoon = start > 0 && start <= MAX_PART_OF_LINE && start < bytes.length;
  return isSoon ? bytes.subarray(start) : fromCharacter(bytes);
}

function fromCharacter(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < Math.min(4, bytes.length) && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
