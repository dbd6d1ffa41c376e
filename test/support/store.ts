/** Stores to be maltreated: what stands on the disk before an operation, and what must stand there after it. */

import { SessionLog, BlobStore, ArtifactStore, artifactFolder } from "@omp/session";
import { acquireLock, messageOf, systemClock, systemRandom } from "@omp/std";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { changeConfig } from "../../packages/engine/src/settings/config-change.ts";

export const OPERATIONS = [
  "append-new",
  "append-torn",
  "migrate",
  "rename",
  "fork",
  "extract",
  "move",
  "pictures",
  "artifacts",
  "takeover",
  "live-lock",
  "settings",
] as const;

export type Operation = (typeof OPERATIONS)[number];

export const doors = { clock: systemClock, random: systemRandom };

/** Where things are below the folder of a store. */
export function placesIn(folder: string) {
  const sessions = join(folder, "sessions", "-w");
  return {
    sessions,
    source: join(sessions, "source.jsonl"),
    elsewhere: join(folder, "sessions", "-x", "deep"),
    blobs: join(folder, "blobs"),
    config: join(folder, "config.yml"),
  };
}

/** Large enough to be kept beside the session. */
export function pictureOf(marker: string): string {
  return Buffer.from(marker.repeat(300)).toString("base64");
}

/** Entries of the source. */
const BEFORE = ["<b-0>", "<b-1>", "<b-2>"];
const OLD_OUTPUT = "what a tool said before";
const TIME = "2026-01-02T03:04:05.678Z";
const SOURCE_ID = "01980000-0000-7000-8000-000000000001";
/** A pid that no process has. */
const NOBODY = 2 ** 30;

/** @param variant of the same operation: sizes, damages */
export function prepareStore(folder: string, operation: Operation, variant: number): void {
  const { sessions, source, config } = placesIn(folder);
  fs.mkdirSync(folder, { recursive: true });
  if (operation === "settings") return fs.writeFileSync(config, "theme: dark\n");
  if (operation === "append-new") return;
  fs.mkdirSync(sessions, { recursive: true });
  fs.writeFileSync(source, operation === "migrate" ? oldText(variant) : currentText(variant));
  if (operation === "append-torn") fs.appendFileSync(source, '{"type":"message","id":"to');
  if (operation === "takeover") fs.writeFileSync(`${source}.lock`, deadStamp());
  fs.mkdirSync(artifactFolder(source));
  fs.writeFileSync(join(artifactFolder(source), "0.bash.log"), OLD_OUTPUT);
}

/** Every third is longer than what is copied at a time. */
function textsOf(variant: number): readonly string[] {
  const filler = variant % 3 === 2 ? "x".repeat(600_000) : "x";
  return BEFORE.map((marker) => marker + filler);
}

function currentText(variant: number): string {
  const slot = { type: "title", v: 1, title: "t-0", source: "user", updatedAt: TIME, pad: "" };
  const pad = " ".repeat(255 - JSON.stringify(slot).length);
  const header = { type: "session", version: 3, id: SOURCE_ID, timestamp: TIME, cwd: "/w" };
  const entries = textsOf(variant).map((text, at) => ({
    ...{ type: "message", id: `0000000${at}`, parentId: at === 0 ? null : `0000000${at - 1}` },
    timestamp: TIME,
    message: { role: "user", content: text, timestamp: 1 },
  }));
  return jsonl({ ...slot, pad }, header, ...entries);
}

/** Version 1: no ids. Every second is damaged, so that the original is kept. */
function oldText(variant: number): string {
  const header = { type: "session", id: SOURCE_ID, timestamp: TIME, cwd: "/w" };
  const entries = textsOf(variant).map((text) => ({
    type: "message",
    timestamp: TIME,
    message: { role: "user", content: text, timestamp: 1 },
  }));
  const glued = variant % 2 === 1 ? "\0\0" : "";
  return glued + jsonl(header, ...entries);
}

function deadStamp(): string {
  const host = fs.readFileSync("/proc/sys/kernel/hostname", "latin1").trim();
  const space = fs.readlinkSync("/proc/self/ns/pid");
  return JSON.stringify({ pid: NOBODY, host, since: TIME, token: "0123456789abcdef", space });
}

function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** What the driver said about its work. */
export interface Account {
  /** The API returned. */
  readonly acknowledged: ReadonlySet<string>;
  /** Of these, those that a resolved sync covers. */
  readonly synced: ReadonlySet<string>;
  /** Refused, with the kind. */
  readonly refused: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
  readonly bug: string | undefined;
}

export function accountOf(lines: readonly string[]): Account {
  const acknowledged = new Set<string>();
  const synced = new Set<string>();
  const refused = new Map<string, string>();
  for (const line of lines) {
    const [word, what = "", kind = ""] = line.split(" ");
    if (word === "ACK") acknowledged.add(what);
    if (word === "SYNC") for (const marker of acknowledged) synced.add(marker);
    if (word === "ERR") refused.set(what, kind);
  }
  const bug = lines.find((line) => line.startsWith("BUG"));
  return { acknowledged, synced, refused, isClosed: lines.includes("CLOSED"), bug };
}

interface Found {
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly isCopy: boolean;
  readonly isWritable: boolean;
}

export interface Expectation {
  readonly operation: Operation;
  readonly variant: number;
  /** What must be there: entries, titles, copies, artifacts, settings. */
  readonly wanted: ReadonlySet<string>;
  /** After a power cut a file may be there without its content, as long as nobody relied on it. */
  readonly mayBeEmpty?: boolean;
}

/** What is wrong with the store, or undefined. Opens and writes every session. */
export async function faultOfStore(folder: string, expected: Expectation) {
  const { operation, wanted } = expected;
  if (operation === "settings") return faultOfSettings(folder, wanted);
  const found: Found[] = [];
  for (const path of sessionFilesIn(folder)) {
    try {
      found.push(await look(path, folder, expected));
    } catch (error) {
      return `unreadable: ${basename(path)}: ${messageOf(error)}`;
    }
  }
  return (
    faultOfEntries(found, expected) ??
    faultOfCopies(found, expected) ??
    faultOfTitle(found, wanted) ??
    (await faultOfArtifacts(folder, expected))
  );
}

function sessionFilesIn(folder: string): string[] {
  const root = join(folder, "sessions");
  if (!fs.existsSync(root)) return [];
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function look(path: string, folder: string, { mayBeEmpty }: Expectation): Promise<Found> {
  const blobs = new BlobStore(placesIn(folder).blobs);
  const mustExist = mayBeEmpty !== true;
  await using log = await SessionLog.open({ path, mustExist, blobs, ...doors });
  const isWritable = log.access.kind === "write";
  const text = JSON.stringify(log.entries);
  const { parentSession } = log.header;
  if (isWritable) {
    log.append({ type: "custom", customType: "afterwards" });
    await log.sync();
  }
  const title = log.title ?? "";
  return { path, text, title, isCopy: parentSession !== undefined, isWritable };
}

function faultOfEntries(found: readonly Found[], { operation, wanted }: Expectation) {
  const before = operation === "append-new" ? [] : BEFORE;
  const markers = [...before, ...[...wanted].filter((marker) => marker.startsWith("<"))];
  const missing = markers.find((marker) => !found.some(({ text }) => text.includes(marker)));
  if (missing) return `lost: ${missing}`;
  const faded = markers.find(
    (marker) =>
      marker.startsWith("<p-") && !found.some(({ text }) => text.includes(pictureOf(marker))),
  );
  if (faded) return `lost: the picture of ${faded}`;
  for (const { path, text, isWritable } of found) {
    const name = basename(path);
    const isHeld = operation === "live-lock" && name === "source.jsonl";
    if (isWritable === isHeld) return isHeld ? `${name} lost its lock` : `${name} stays locked`;
    const twice = [...markers].find((marker) => text.split(marker).length > 2);
    if (twice) return `${twice} is twice in ${name}`;
    if (isHeld && /<m-/.test(text)) return `${name} was written under the lock of another`;
  }
  return undefined;
}

/** A copy is there with all that it should have, or not at all. */
function faultOfCopies(found: readonly Found[], { operation, wanted }: Expectation) {
  const copies = found.filter(({ isCopy }) => isCopy);
  if (wanted.has("copy") && copies.length === 0) return "lost: the copy";
  const whole = operation === "extract" ? BEFORE.slice(0, 2) : BEFORE;
  const half = copies.find(({ text }) => !whole.every((marker) => text.includes(marker)));
  return half && `half a copy: ${basename(half.path)}`;
}

/** Titles count up: one that was acknowledged may be followed by one that was not. */
function faultOfTitle(found: readonly Found[], wanted: ReadonlySet<string>) {
  const least = Math.max(0, ...[...wanted].map((word) => Number(/^t-(\d+)$/.exec(word)?.[1] ?? 0)));
  if (least === 0) return undefined;
  const titles = found.map(({ title }) => Number(/^t-(\d+)$/.exec(title)?.[1] ?? -1));
  return titles.some((title) => title >= least) ? undefined : `lost: title ${least} (${titles})`;
}

async function faultOfArtifacts(folder: string, { operation, wanted }: Expectation) {
  if (operation === "append-new") return undefined;
  const { sessions, source, elsewhere } = placesIn(folder);
  const homes = [artifactFolder(source), join(elsewhere, "source")];
  const isThere = homes.some((home) => textOf(join(home, "0.bash.log")) === OLD_OUTPUT);
  if (!isThere) return "lost: the artifact";
  if (operation !== "artifacts") return undefined;
  const given = [...wanted].flatMap((word) => /^a-(\d+)$/.exec(word)?.[1] ?? []);
  const gone = given.find((id) => !fs.existsSync(join(sessions, "source", `${id}.bash.log`)));
  if (gone) return `lost: artifact ${gone}`;
  const next = await new ArtifactStore(() => source).reserve("bash");
  if (!next) return "no further artifact";
  return given.includes(next.id) ? `artifact ${next.id} was given twice` : undefined;
}

async function faultOfSettings(folder: string, wanted: ReadonlySet<string>) {
  const { config } = placesIn(folder);
  const lines = textOf(config)?.split("\n") ?? [];
  const keys = [...wanted].flatMap((word) => (word.startsWith("key") ? [`${word}: 1`] : []));
  const missing = ["theme: dark", ...keys].find((line) => !lines.includes(line));
  if (missing) return `lost: ${missing} of ${JSON.stringify(lines)}`;
  await changeConfig(config, (text) => `${text}after: true\n`);
  return textOf(config)?.includes("after: true") ? undefined : "a change was lost";
}

/** The lock that the operation finds held by somebody who lives. */
export function holdSource(folder: string): Disposable {
  const attempt = acquireLock(`${placesIn(folder).source}.lock`);
  if (attempt.kind !== "held") throw new Error(`${dirname(folder)} is in use`);
  return { [Symbol.dispose]: () => attempt.release() };
}

function textOf(path: string): string | undefined {
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : undefined;
}
