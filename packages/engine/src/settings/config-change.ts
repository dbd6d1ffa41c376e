/** Changes of config.yml. One writer at a time, from reading to writing: of two changes none is lost. */

import {
  acquireLock,
  codeOf,
  messageOf,
  replaceFile,
  sleep,
  systemClock,
  UserError,
} from "@omp/std";
import fs from "node:fs";
import { dirname } from "node:path";
import { readConfigFile } from "./config-file.ts";

const PATIENCE_MS = 2000;
const POLL_MS = 20;

/** @throws UserError when the file is broken, cannot be written, or somebody else holds it for too long */
export async function changeConfig(path: string, edit: (text: string) => string): Promise<void> {
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const release = await locked(`${path}.lock`);
    try {
      const before = textOf(path);
      const after = edited(before, edit);
      if (after !== before) await replaceFile(path, after, { mode: 0o600 });
    } finally {
      release();
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const reason = `${path} cannot be written: ${messageOf(error)}`;
    throw new UserError("bad-config", reason, { cause: error });
  }
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The edit sees plain lines; the file keeps its mark and its kind of line ends. */
function edited(before: string, edit: (text: string) => string): string {
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const plain = before.slice(mark.length).replaceAll("\r\n", "\n");
  const after = edit(plain);
  if (after === plain) return before;
  return mark + (before.includes("\r\n") ? after.replaceAll("\n", "\r\n") : after);
}

/** A file that cannot be read as settings is left as it is: its owner has to look at it. */
function textOf(path: string): string {
  const file = readConfigFile(path);
  switch (file.kind) {
    case "ok":
      return file.text;
    case "not-found":
      return "";
    case "error":
      throw new UserError("bad-config", `${file.place}: ${file.reason}. Mend it first.`);
  }
}

async function locked(path: string): Promise<() => void> {
  const giveUp = systemClock.monotonic() + PATIENCE_MS;
  for (;;) {
    const attempt = acquireLock(path);
    if (attempt.kind === "held") return () => attempt.release();
    if (systemClock.monotonic() > giveUp) {
      throw new UserError("busy", `Another program is changing the settings (${path}).`);
    }
    await sleep(systemClock, POLL_MS);
  }
}
