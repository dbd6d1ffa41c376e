/**
 * A file system that loses what it was not told to keep. It is fed the calls of a program and gives the
 * states in which a power cut may leave the disk: content is kept by a sync of its file, names by a
 * sync of their folder. What nobody synced may be there, or not, or be torn at any byte.
 */

import type { Random } from "@omp/std";
import { bytesIn, type TracedCall } from "@omp/testkit";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";

interface FileNode {
  readonly kind: "file";
  readonly before: Buffer;
}

interface FolderNode {
  readonly kind: "folder";
  readonly before: ReadonlyMap<string, Node>;
}

type Node = FileNode | FolderNode;

/** Names that change in one step. */
interface NameChange {
  readonly folder: FolderNode;
  readonly name: string;
  readonly node: Node | undefined;
}

type Deed =
  | { readonly kind: "write"; readonly file: FileNode; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "names"; readonly changes: readonly NameChange[] }
  | { readonly kind: "sync"; readonly node: Node }
  | { readonly kind: "said"; readonly line: string };

type Write = Extract<Deed, { readonly kind: "write" }>;
type Names = Extract<Deed, { readonly kind: "names" }>;

/** What a program did to the disk, in order. */
export interface Recording {
  readonly root: FolderNode;
  readonly deeds: readonly Deed[];
}

/** Takes in a folder as it is, and all of it as being on the disk. */
export function snapshotOf(folder: string): FolderNode {
  const names = fs.readdirSync(folder, { withFileTypes: true });
  const before = names.map((entry): [string, Node] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [entry.name, snapshotOf(path)];
    return [entry.name, { kind: "file", before: fs.readFileSync(path) }];
  });
  return { kind: "folder", before: new Map(before) };
}

/** @param folder where the root was when the calls were made */
export function recordingOf(
  root: FolderNode,
  folder: string,
  calls: readonly TracedCall[],
): Recording {
  const recorder = new Recorder(root, folder);
  for (const call of calls) if (!call.result.startsWith("-1")) recorder.take(call);
  return { root, deeds: recorder.deeds };
}

interface OpenFile {
  readonly node: Node;
  readonly isAppending: boolean;
  at: number;
}

/** Follows the calls with the state that the living system has. */
class Recorder {
  readonly deeds: Deed[] = [];
  readonly #folder: string;
  readonly #entries = new Map<FolderNode, Map<string, Node>>();
  readonly #sizes = new Map<FileNode, number>();
  readonly #open = new Map<string, OpenFile>();
  readonly #root: FolderNode;

  constructor(root: FolderNode, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  take({ name, given, result }: TracedCall): void {
    const texts = [...given.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text]) => text!);
    const [one = "", two = ""] = texts.map((text) => bytesIn(text).toString());
    switch (name) {
      case "writev":
        for (const line of one.split("\n").slice(0, -1)) this.deeds.push({ kind: "said", line });
        return;
      case "openat":
        return this.#opened(one, given, /^\d+/.exec(result)?.[0] ?? "");
      case "write":
      case "pwrite64":
        return this.#written(name, given, bytesIn(texts[0] ?? "").subarray(0, parseInt(result)));
      case "fsync":
      case "fdatasync":
        return this.#synced(/^\d+/.exec(given)?.[0] ?? "");
      case "mkdir":
      case "mkdirat":
        return this.#change([one, { kind: "folder", before: new Map() }]);
      case "unlink":
      case "unlinkat":
      case "rmdir":
        return this.#change([one, undefined]);
      case "link":
      case "linkat":
        return this.#change([two, this.#at(one)]);
      case "rename":
      case "renameat":
      case "renameat2":
        return this.#change([one, undefined], [two, this.#at(one)]);
    }
  }

  #opened(path: string, given: string, descriptor: string): void {
    this.#open.delete(descriptor);
    let node = this.#at(path);
    if (!node && given.includes("O_CREAT")) {
      node = { kind: "file", before: Buffer.alloc(0) };
      this.#change([path, node]);
    }
    if (!node || !this.#isInside(path)) return;
    this.#open.set(descriptor, { node, isAppending: given.includes("O_APPEND"), at: 0 });
  }

  #written(name: string, given: string, bytes: Buffer): void {
    const open = this.#open.get(/^\d+/.exec(given)?.[0] ?? "");
    if (open?.node.kind !== "file") return;
    const file = open.node;
    const size = this.#sizes.get(file) ?? file.before.length;
    const place = name === "pwrite64" ? Number(/, (\d+)$/.exec(given)?.[1]) : open.at;
    const at = open.isAppending ? size : place;
    if (name === "write") open.at = at + bytes.length;
    this.#sizes.set(file, Math.max(size, at + bytes.length));
    this.deeds.push({ kind: "write", file, at, bytes });
  }

  #synced(descriptor: string): void {
    const node = this.#open.get(descriptor)?.node;
    if (node) this.deeds.push({ kind: "sync", node });
  }

  #change(...wanted: readonly (readonly [string, Node | undefined])[]): void {
    const changes = wanted.flatMap(([path, node]): NameChange[] => {
      const folder = this.#at(dirname(path));
      if (folder?.kind !== "folder") return [];
      const name = basename(path);
      if (node) this.#entriesOf(folder).set(name, node);
      else this.#entriesOf(folder).delete(name);
      return [{ folder, name, node }];
    });
    if (changes.length > 0) this.deeds.push({ kind: "names", changes });
  }

  #isInside(path: string): boolean {
    return path === this.#folder || path.startsWith(`${this.#folder}/`);
  }

  #at(path: string): Node | undefined {
    if (!this.#isInside(path)) return undefined;
    let node: Node | undefined = this.#root;
    for (const part of path.slice(this.#folder.length).split("/").filter(Boolean)) {
      if (node?.kind !== "folder") return undefined;
      node = this.#entriesOf(node).get(part);
    }
    return node;
  }

  #entriesOf(folder: FolderNode): Map<string, Node> {
    const entries = this.#entries.get(folder) ?? new Map(folder.before);
    this.#entries.set(folder, entries);
    return entries;
  }
}

/** Writes one state of the disk into a folder. @returns what the program had said when the power went */
export function cutPower({ root, deeds }: Recording, folder: string, random: Random): string[] {
  const done = deeds.slice(0, 1 + Math.floor(random.next() * deeds.length));
  const names = survivingNames(done, random);
  const entries = new Map<FolderNode, Map<string, Node>>();
  for (const { changes } of names) {
    for (const { folder: changed, name, node } of changes) {
      const now = entries.get(changed) ?? new Map(changed.before);
      entries.set(changed, now);
      if (node) now.set(name, node);
      else now.delete(name);
    }
  }
  materialize(root, folder, { entries, contents: contentsOf(done, random), names: new Map() });
  return done.flatMap((deed) => (deed.kind === "said" ? [deed.line] : []));
}

/** Of the names that nobody synced each folder keeps the first ones; what one step changed goes together. */
function survivingNames(done: readonly Deed[], random: Random): Names[] {
  const kept = keptNames(done);
  const stopped = new Set<FolderNode>();
  // Sometimes one folder is behind, sometimes all of them are.
  const chance = random.next() ** 2;
  return done.filter((deed): deed is Names => {
    if (deed.kind !== "names") return false;
    if (kept.has(deed)) return true;
    const folders = deed.changes.map((change) => change.folder);
    const isLost = folders.some((one) => stopped.has(one)) || random.next() < chance;
    if (!isLost) return true;
    for (const one of folders) stopped.add(one);
    // What lies in a folder that is not there is not there either.
    for (const { node } of deed.changes) if (node?.kind === "folder") stopped.add(node);
    return false;
  });
}

/** Those before a sync of one of their folders, and with them all earlier ones of the same folders. */
function keptNames(done: readonly Deed[]): ReadonlySet<Deed> {
  const kept = new Set<Deed>();
  const synced = new Set<Node>();
  for (const deed of done.toReversed()) {
    if (deed.kind === "sync") synced.add(deed.node);
    if (deed.kind !== "names" || !deed.changes.some(({ folder }) => synced.has(folder))) continue;
    kept.add(deed);
    for (const { folder } of deed.changes) synced.add(folder);
  }
  return kept;
}

function contentsOf(done: readonly Deed[], random: Random): ReadonlyMap<Node, Buffer> {
  const writes = Map.groupBy(
    done.filter((deed) => deed.kind === "write"),
    ({ file }) => file,
  );
  const lastSync = new Map<Node, number>();
  done.forEach((deed, index) => {
    if (deed.kind === "sync") lastSync.set(deed.node, index);
  });
  return new Map(
    [...writes].map(([file, list]) => {
      const safe = list.filter((write) => done.indexOf(write) < (lastSync.get(file) ?? -1));
      const content = safe.reduce(overwritten, file.before);
      return [file, list.slice(safe.length).reduce(tearing(random), content)];
    }),
  );
}

/** In order until one is torn; of what follows the size may be there without the bytes. */
function tearing(random: Random): (content: Buffer, write: Write) => Buffer {
  const chance = random.next();
  const leavesZeros = random.next() < 0.3;
  let isTorn = false;
  return (content, write) => {
    if (!isTorn && random.next() >= chance) return overwritten(content, write);
    const length = isTorn ? 0 : Math.floor(random.next() * write.bytes.length);
    isTorn = true;
    const { at, bytes } = write;
    const zeros = leavesZeros && at >= content.length ? Buffer.alloc(bytes.length - length) : "";
    if (length === 0 && zeros === "") return content;
    const piece = Buffer.concat([bytes.subarray(0, length), Buffer.from(zeros)]);
    return overwritten(content, { ...write, bytes: piece });
  };
}

function overwritten(content: Buffer, { at, bytes }: Write): Buffer {
  const result = Buffer.alloc(Math.max(content.length, at + bytes.length));
  content.copy(result);
  bytes.copy(result, at);
  return result;
}

/** Old enough for everybody: a machine takes a while to start again. */
const OLD = new Date(Date.UTC(2026, 0, 1));

interface Disk {
  readonly entries: ReadonlyMap<FolderNode, ReadonlyMap<string, Node>>;
  readonly contents: ReadonlyMap<Node, Buffer>;
  /** What has been written: a file may have several. */
  readonly names: Map<Node, string>;
}

function materialize(node: FolderNode, folder: string, disk: Disk): void {
  fs.mkdirSync(folder);
  for (const [name, inner] of disk.entries.get(node) ?? node.before) {
    const path = join(folder, name);
    const other = disk.names.get(inner);
    disk.names.set(inner, path);
    if (inner.kind === "folder") materialize(inner, path, disk);
    else if (other !== undefined) fs.linkSync(other, path);
    else {
      fs.writeFileSync(path, disk.contents.get(inner) ?? inner.before);
      fs.utimesSync(path, OLD, OLD);
    }
  }
}
