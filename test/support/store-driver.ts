/**
 * One operation on a prepared store, to be killed, refused or cut off. It says `ACK` for what the store
 * took, `SYNC` when all of that is on the disk, `ERR` for what was refused, and `BUG` for anything else.
 */

import { ArtifactStore, BlobStore, SessionLog } from "@omp/session";
import { codeOf, messageOf, UserError } from "@omp/std";
import fs from "node:fs";
import { changeConfig } from "../../packages/engine/src/settings/config-change.ts";
// What is loaded when it is needed must be there before the first call that counts.
import "../../packages/session/src/fork.ts";
import "../../packages/session/src/header-edit.ts";
import { doors, pictureOf, placesIn, type Operation } from "./store.ts";

const [operation = "", folder = "", variant = "0"] = process.argv.slice(2);
const places = placesIn(folder);
const rounds = 2 + (Number(variant) % 4);
/** A disk that gets room again after the first refusal. */
const hasShortDisk = process.argv[5] === "short";
let marker = 0;
let isWhole = true;

tell("START");
await perform(operation as Operation);
tell(isWhole ? "CLOSED" : "END");

async function perform(name: Operation): Promise<void> {
  switch (name) {
    case "append-new": {
      const log = SessionLog.create({ cwd: "/w", folder: places.sessions, ...doors });
      // What waits for the first answer is not on its way yet, so it is not acknowledged.
      log.append({ type: "custom", customType: "waiting" });
      await attempt("persist", () => log.persist());
      return goOn(log);
    }
    case "append-torn":
    case "migrate":
    case "takeover":
      return withSource(goOn);
    case "rename":
      return withSource(renameAndGoOn);
    case "fork":
    case "extract":
      return withSource((log) => copyAndGoOn(log, name));
    case "live-lock":
      return withSource((log) => copyAndGoOn(log, "fork"));
    case "move":
      return withSource(moveAndGoOn);
    case "pictures":
      return withSource(showAndGoOn);
    case "artifacts":
      return reserveSome();
    case "settings":
      return changeSettings();
  }
}

/** The disk may refuse for a while. */
async function withSource(act: (log: SessionLog) => Promise<void>): Promise<void> {
  const blobs = new BlobStore(places.blobs);
  for (let tries = 0; tries < 4; tries++) {
    const open = () => SessionLog.open({ path: places.source, mustExist: true, blobs, ...doors });
    const log = await attempt("open", open);
    if (log) return act(log);
  }
}

async function goOn(log: SessionLog): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    append(log);
    append(log);
    await sync(log);
  }
  append(log);
  await end(log);
}

async function renameAndGoOn(log: SessionLog): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    await attempt(`t-${round}`, () => log.rename(`t-${round}`, "user"));
    await sync(log);
  }
  return goOn(log);
}

async function copyAndGoOn(log: SessionLog, how: "fork" | "extract"): Promise<void> {
  append(log);
  await sync(log);
  const target = { cwd: "/x", folder: places.elsewhere, ...doors };
  const make = () =>
    how === "fork" ? SessionLog.fork(log, target) : log.extract("00000001", target);
  const copy = (await attempt("copy", make)) ?? (await attempt("copy", make));
  if (copy) await goOn(copy);
  await end(log);
}

async function moveAndGoOn(log: SessionLog): Promise<void> {
  append(log);
  await sync(log);
  await attempt("move", () => log.moveTo({ cwd: "/x", folder: places.elsewhere }));
  return goOn(log);
}

async function showAndGoOn(log: SessionLog): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const name = `<p-${round}>`;
    const picture = { type: "image", mimeType: "image/png", data: pictureOf(name) } as const;
    const content = [{ type: "text", text: name } as const, picture];
    await attempt(name, () => {
      log.append({ type: "message", message: { role: "user", content, timestamp: 1 } });
    });
    await sync(log);
  }
  return goOn(log);
}

async function reserveSome(): Promise<void> {
  const store = new ArtifactStore(() => places.source);
  for (let round = 0; round < rounds * 2; round++) {
    const reserved = await store.reserve("bash");
    tell(reserved ? `ACK a-${reserved.id}` : "ERR artifact refused");
  }
}

async function changeSettings(): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const key = `key${round}`;
    await attempt(key, () => changeConfig(places.config, (text) => `${text}${key}: 1\n`));
    tell("SYNC");
  }
}

function append(log: SessionLog): void {
  const text = `<m-${marker++}>`;
  try {
    log.append({ type: "message", message: { role: "user", content: text, timestamp: 1 } });
    tell(`ACK ${text}`);
  } catch (error) {
    refused(text, error);
  }
}

async function sync(log: SessionLog): Promise<void> {
  try {
    await log.sync();
    tell("SYNC");
  } catch (error) {
    refused("sync", error);
  }
}

async function end(log: SessionLog): Promise<void> {
  try {
    await log.close();
  } catch (error) {
    isWhole = false;
    refused("close", error);
  }
}

async function attempt<Value>(
  name: string,
  act: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    const value = await act();
    tell(`ACK ${name}`);
    return value;
  } catch (error) {
    refused(name, error);
    return undefined;
  }
}

function refused(name: string, error: unknown): void {
  const kind = error instanceof UserError ? error.kind : codeOf(error);
  tell(kind === undefined ? `BUG ${name} ${messageOf(error)}` : `ERR ${name} ${kind}`);
  if (hasShortDisk) Bun.spawnSync(["prlimit", "--pid", String(process.pid), "--fsize=unlimited:"]);
}

/** By a call of its own, so that what is done to the others does not touch it. */
function tell(line: string): void {
  fs.writevSync(1, [Buffer.from(`${line}\n`)]);
}
