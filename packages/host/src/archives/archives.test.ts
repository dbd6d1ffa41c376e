/** Archives of other programs, broken ones, and those that lie. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { zipSync } from "fflate";
import fs, {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib from "node:zlib";
import { needs } from "../../../../test/needs.ts";
import { archives } from "./archives.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "omp-archives-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const signal = new AbortController().signal;
const MAX = 64 * 2 ** 20;
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const run = (...command: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: folder });
  if (exitCode !== 0) throw new Error(stderr.toString());
};
const list = async (path: string) => (await archives.list(path, signal)).members;
const read = (path: string, member: string, maxBytes = MAX) =>
  archives.read(path, { member, maxBytes }, signal);
const text = async (path: string, member: string) =>
  Buffer.from((await read(path, member)) ?? []).toString();

describe("archives of other programs", () => {
  const long = `${"long-".repeat(30)}name.txt`;
  const fill = () => {
    mkdirSync(join(folder, "d/ü"), { recursive: true });
    file("d/a.txt", "a".repeat(5000));
    file(`d/ü/${long}`, "deep");
    symlinkSync("a.txt", join(folder, "d/link"));
  };
  const expected: (readonly [string, "file" | "link", number])[] = [
    ["d/a.txt", "file", 5000],
    ["d/link", "link", 0],
    [`d/ü/${long}`, "file", 4],
  ];
  const facts = async (path: string) =>
    (await list(path))
      .filter(({ kind }) => kind !== "directory")
      .map(({ path: name, kind, size }) => [name, kind, kind === "link" ? 0 : size] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));

  for (const format of ["gnu", "pax", "ustar", "v7"]) {
    needs("tar")(`tar in the ${format} form`, async () => {
      fill();
      const isShort = format === "ustar" || format === "v7";
      if (isShort) rmSync(join(folder, "d/ü"), { recursive: true });
      run("tar", `--format=${format}`, "-czf", "a.tar.gz", "d");
      run("tar", `--format=${format}`, "-cf", "a.tar", "d");
      for (const name of ["a.tar.gz", "a.tar"]) {
        const path = join(folder, name);
        expect(await facts(path)).toEqual(isShort ? expected.slice(0, 2) : expected);
        expect(await text(path, "d/a.txt")).toBe("a".repeat(5000));
        if (!isShort) expect(await text(path, `d/ü/${long}`)).toBe("deep");
        expect(await read(path, "d/link")).toBeUndefined();
      }
    });
  }

  needs("zip")("zip, packed and stored, with links", async () => {
    fill();
    run("zip", "-q", "-r", "-y", "a.zip", "d");
    run("zip", "-q", "-0", "-r", "-y", "stored.zip", "d");
    for (const name of ["a.zip", "stored.zip"]) {
      const path = join(folder, name);
      expect(await facts(path)).toEqual(expected);
      expect(await text(path, "d/a.txt")).toBe("a".repeat(5000));
    }
  });

  needs("python3")("zip with 64-bit numbers", async () => {
    const script = `
import zipfile
with zipfile.ZipFile("big.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for n in range(70000): z.writestr("f%d" % n, "x")
    with z.open("forced", "w", force_zip64=True) as f: f.write(b"forced")
`;
    run("python3", "-c", script);
    const path = join(folder, "big.zip");
    expect(await list(path)).toHaveLength(70_001);
    expect(await text(path, "forced")).toBe("forced");
    expect(await text(path, "f69999")).toBe("x");
  });

  needs("zstd")("tar packed by zstd", async () => {
    fill();
    run("tar", "--zstd", "-cf", "a.tar.zst", "d");
    expect(await text(join(folder, "a.tar.zst"), "d/a.txt")).toBe("a".repeat(5000));
  });
});

describe("archives that mean harm", () => {
  test("names that lead out are not there, a name that comes twice is the last one", async () => {
    const zip = zipSync({
      "../evil": new Uint8Array(1),
      "/abs": Buffer.from("abs"),
      "a/./b\\c": new Uint8Array(1),
    });
    const path = file("slip.zip", zip);
    expect((await list(path)).map(({ path: name }) => name)).toEqual(["abs", "a/b/c"]);
  });

  needs("tar")("the same in a tar", async () => {
    mkdirSync(join(folder, "in"));
    file("evil", "x");
    file("in/ok", "1");
    run("tar", "-C", "in", "-P", "-cf", "both.tar", "../evil", "ok");
    file("in/ok", "22");
    run("tar", "-C", "in", "-rf", "both.tar", "ok");
    const path = join(folder, "both.tar");
    expect(await list(path)).toEqual([{ path: "ok", kind: "file", size: 2 }]);
    expect(await text(path, "ok")).toBe("22");
  });

  needs("zip")("an encrypted member is told", async () => {
    file("secret", "secret");
    run("zip", "-q", "-P", "password", "a.zip", "secret");
    expect(read(join(folder, "a.zip"), "secret")).rejects.toMatchObject({ kind: "encrypted" });
    await read(join(folder, "a.zip"), "secret").catch(() => undefined);
  });

  test("sizes that lie are found out", async () => {
    const content = Buffer.alloc(1000, "x");
    const honest = zipSync({ a: content });
    const at = Buffer.from(honest).lastIndexOf(Buffer.from("PK\x01\x02"));
    for (const size of [10, 999, 1001, 60 * 2 ** 20]) {
      const lying = Buffer.from(honest);
      lying.writeUInt32LE(size, at + 24);
      const path = file("lie.zip", lying);
      expect(await read(path, "a").catch((error: unknown) => error)).toMatchObject({
        kind: "damaged",
      });
    }
    const wrong = Buffer.from(honest);
    wrong.writeUInt32LE(1, at + 16);
    const path = file("crc.zip", wrong);
    expect(await read(path, "a").catch((error: unknown) => error)).toMatchObject({
      kind: "damaged",
    });
  });

  test("a bomb is not unpacked past the limit, whatever size it claims", async () => {
    const bomb = zipSync({ zeros: new Uint8Array(80 * 2 ** 20) }, { level: 1 });
    const path = file("bomb.zip", bomb);
    expect(await read(path, "zeros").catch((error: unknown) => error)).toMatchObject({
      kind: "too-large",
    });
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(5, Buffer.from(bomb).lastIndexOf(Buffer.from("PK\x01\x02")) + 24);
    const liar = file("liar.zip", lying);
    const before = process.memoryUsage.rss();
    expect(await read(liar, "zeros").catch((error: unknown) => error)).toMatchObject({
      kind: "damaged",
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(MAX);
  });

  test("a packed tar of gigabytes is listed as far as the limit goes", async () => {
    const header = Buffer.from((await new Bun.Archive({ zeros: "" }).bytes()).subarray(0, 512));
    header.write("77777777777", 124, "latin1");
    header.fill(0x20, 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    const gzip = zlib.createGzip({ level: 1 });
    const path = join(folder, "bomb.tgz");
    const out = fs.createWriteStream(path);
    gzip.pipe(out);
    gzip.write(header);
    const zeros = Buffer.alloc(2 ** 20);
    for (let at = 0; at < 400; at++)
      if (!gzip.write(zeros)) await new Promise((go) => gzip.once("drain", go));
    gzip.end();
    await new Promise((go) => out.once("close", go));
    const before = process.memoryUsage.rss();
    expect(await archives.list(path, signal)).toMatchObject({
      isCut: true,
      members: [{ path: "zeros" }],
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 2 ** 20);
  });

  test("torn, empty and huge files end with words or with what is there", async () => {
    const zip = zipSync({ a: Buffer.alloc(5000, "abc"), b: Buffer.from("b") });
    const gz = await new Bun.Archive({ a: "a".repeat(5000) }, { compress: "gzip" }).bytes();
    const tar = await new Bun.Archive({ a: "a".repeat(5000) }).bytes();
    for (const [name, bytes] of [
      ["t.zip", zip],
      ["t.tgz", gz],
      ["t.tar", tar],
    ] as const) {
      for (const share of [0, 0.1, 0.5, 0.9, 0.99]) {
        const path = file(name, bytes.subarray(0, Math.floor(bytes.length * share)));
        const result = await Promise.all([list(path), read(path, "a")]).catch(
          (error: unknown) => error,
        );
        if (!Array.isArray(result))
          expect(result).toMatchObject({ name: "HostError", kind: "damaged" });
      }
    }
    const huge = file("huge.zip", zip);
    truncateSync(huge, 2 ** 33);
    expect(list(huge)).rejects.toMatchObject({ kind: "damaged" });
    await list(huge).catch(() => undefined);
  });

  test("an abort ends the unpacking", async () => {
    const gz = await new Bun.Archive({ a: new Uint8Array(2 ** 27) }, { compress: "gzip" }).bytes();
    const path = file("a.tgz", gz);
    const controller = new AbortController();
    const listing = archives.list(path, controller.signal);
    setTimeout(() => controller.abort(), 5);
    const end = await listing.catch((error: unknown) => error);
    expect(end).toMatchObject({ name: "AbortError" });
  });
});
