/** The store of pictures on a real disk. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../test/scratch.ts";
import { BlobStore, isBlobReference } from "./blobs.ts";

let place: ReturnType<typeof scratch>;
let blobs: BlobStore;
beforeEach(() => {
  place = scratch();
  blobs = new BlobStore(join(place.folder, "agent", "blobs"));
});
afterEach(() => place[Symbol.dispose]());

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7) % 256);
const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

describe("blobs", () => {
  test("STOR-02 the same content is one file, named by its hash", () => {
    expect(blobs.put(bytes)).toBe(`blob:sha256:${hash}`);
    expect(new BlobStore(blobs.folder).put(bytes)).toBe(`blob:sha256:${hash}`);
    expect(readdirSync(blobs.folder)).toEqual([hash]);
    expect(Buffer.from(bytes).equals(readFileSync(join(blobs.folder, hash)))).toBe(true);
  });

  test("files are private, and so are the folders made for them, whatever the umask", () => {
    const before = process.umask(0o022);
    try {
      blobs.put(bytes);
    } finally {
      process.umask(before);
    }
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(join(blobs.folder, hash))).toBe(0o600);
    expect(modeOf(blobs.folder)).toBe(0o700);
    expect(modeOf(join(place.folder, "agent"))).toBe(0o700);
  });

  test("STOR-20 a blob that does not exist is undefined, not an error", () => {
    expect(blobs.get(`blob:sha256:${"0".repeat(64)}`)).toBeUndefined();
    expect(blobs.get("blob:sha256:../../etc/passwd")).toBeUndefined();
    expect(isBlobReference("blob:sha256:short")).toBe(false);
  });

  test("a damaged blob is none, and is mended when its content comes again", () => {
    const reference = blobs.put(bytes);
    writeFileSync(join(blobs.folder, hash), bytes.subarray(0, 100));
    expect(blobs.get(reference)).toBeUndefined();
    blobs.put(bytes);
    expect(blobs.get(reference)).toEqual(Buffer.from(bytes));
    const altered = Uint8Array.from(bytes, (byte) => byte ^ 1);
    writeFileSync(join(blobs.folder, hash), altered);
    expect(blobs.get(reference)).toBeUndefined();
  });

  test("what cannot be written is thrown and leaves nothing behind", () => {
    blobs.put(bytes);
    rmSync(join(blobs.folder, hash));
    chmodSync(blobs.folder, 0o500);
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) expect(() => blobs.put(bytes)).toThrow();
    chmodSync(blobs.folder, 0o700);
    if (!isRoot) expect(readdirSync(blobs.folder)).toEqual([]);
    const inTheWay = new BlobStore(join(place.folder, "file"));
    writeFileSync(inTheWay.folder, "");
    expect(() => inTheWay.put(bytes)).toThrow();
  });
});
