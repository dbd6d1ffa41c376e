/**
 * What the read tool adds to reading: `node script/bun.mjs bench/read.ts`.
 *
 * 2,000 lines with anchors beyond the file read (goal 1 ms), a page of a 10 GB file (goal 0.2 s and 32 MB),
 * and archives that unpack to a gigabyte (goal 1 s each).
 */

import { createWorkbench } from "../packages/tools/test/workbench.ts";
import { read } from "../packages/tools/src/read/tool.ts";
import fs from "node:fs";
import zlib from "node:zlib";
import { join } from "node:path";
import { median, timed } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 200);
await using bench = createWorkbench();
const call = (path: string) => bench.call(read, { path });

const lines = Array.from(
  { length: 2000 },
  (_, at) => `  const value${at} = compute(${at}, "text");`,
);
const path = bench.file("lines.txt", `${lines.join("\n")}\n`);
const times = { file: [] as number[], tool: [] as number[] };
for (let at = 0; at < SAMPLES; at++) {
  times.file.push(await timed(() => fs.promises.readFile(path, "utf8")));
  times.tool.push(await timed(() => call("lines.txt:1-2000")));
}
const [file, tool] = [median(times.file), median(times.tool)];
console.log(
  `2,000 lines: ${(tool - file).toFixed(2)} ms beyond ${file.toFixed(2)} ms of the file (goal 1 ms)`,
);

fs.truncateSync(bench.file("huge.txt", `${lines.join("\n")}\n`), 10 * 2 ** 30);
for (const wanted of ["huge.txt", "huge.txt:1500-1600"]) {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const ms = await timed(() => call(wanted));
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
  console.log(
    `10 GB, ${wanted}: ${ms.toFixed(0)} ms, +${grown.toFixed(0)} MB (goals 200 ms, 32 MB)`,
  );
}

await bombs();
for (const wanted of ["bomb.tgz", "bomb.tgz:zeros", "bomb.zip", "bomb.zip:zeros"]) {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const ms = await timed(() => call(wanted));
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
  console.log(
    `1 GB bomb, ${wanted}: ${ms.toFixed(0)} ms, +${grown.toFixed(0)} MB (goals 1000 ms, 64 MB)`,
  );
}

async function bombs(): Promise<void> {
  const size = 2 ** 30;
  const tar = Buffer.from((await new Bun.Archive({ zeros: "" }).bytes()).subarray(0, 512));
  tar.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  tar.fill(0x20, 148, 156);
  const sum = tar.reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  await pack(zlib.createGzip({ level: 1 }), join(bench.cwd, "bomb.tgz"), tar, size);
  const packed = join(bench.cwd, "packed");
  await pack(zlib.createDeflateRaw({ level: 1 }), packed, Buffer.alloc(0), size);
  fs.writeFileSync(join(bench.cwd, "bomb.zip"), zipOf(fs.readFileSync(packed), 1000));
}

async function pack(packer: zlib.Gzip | zlib.DeflateRaw, to: string, head: Buffer, size: number) {
  const out = fs.createWriteStream(to);
  packer.pipe(out);
  packer.write(head);
  const zeros = Buffer.alloc(2 ** 20);
  for (let left = size; left > 0; left -= zeros.length) {
    if (!packer.write(zeros)) await new Promise((go) => packer.once("drain", go));
  }
  packer.end();
  await new Promise((go) => out.once("close", go));
}

/** One member that claims to be small. */
function zipOf(packed: Buffer, claimed: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(claimed, 22);
  local.writeUInt16LE(5, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(claimed, 24);
  entry.writeUInt16LE(5, 28);
  const name = Buffer.from("zeros");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + 5, 12);
  end.writeUInt32LE(30 + 5 + packed.length, 16);
  return Buffer.concat([local, name, packed, entry, name, end]);
}
