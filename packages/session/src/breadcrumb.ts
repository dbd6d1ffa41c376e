/** Which session a terminal had last: a small file for each terminal. Nothing ever depends on it. */

import { readdirSync, readFileSync, readlinkSync, statSync, fstatSync } from "node:fs";
import { join } from "node:path";
import { codeOf, ignore, replaceFile } from "@omp/std";
import { makePrivateFolder } from "./private-folder.ts";

export interface Breadcrumb {
  readonly cwd: string;
  readonly sessionFile: string;
  /** The person began anew and nothing is stored yet: going on means a new session. */
  readonly isFresh: boolean;
}

const FRESH = "fresh";

/** Variables that name a terminal, where it has no device of its own. */
const VARIABLES = [
  "ZELLIJ_PANE_ID",
  "TMUX_PANE",
  "CMUX_SURFACE_ID",
  "KITTY_WINDOW_ID",
  "WEZTERM_PANE",
  "TERM_SESSION_ID",
  "WT_SESSION",
];

/** A name for the terminal that is legal as a file name; undefined where there is none. */
export function terminalId(
  tty: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const device = tty?.replace(/^\/dev\//, "");
  if (device) return fileName(device);
  const name = VARIABLES.find((variable) => environment[variable]);
  return name && fileName(`${name}-${environment[name]}`);
}

/** The device of the terminal on standard input; undefined where that is none. */
export function terminalDevice(): string | undefined {
  try {
    const stat = fstatSync(0);
    if (!stat.isCharacterDevice()) return undefined;
    const linked = linkOfInput();
    if (linked !== undefined) return /^\/dev\/(pts\/\d+|tty\w+)$/.exec(linked)?.[0];
    const names = readdirSync("/dev").filter((name) => /^tty\w/.test(name));
    const own = names.find((name) => statSync(join("/dev", name)).rdev === stat.rdev);
    return own && join("/dev", own);
  } catch (error) {
    ignore(error, "a terminal without a name has no breadcrumb");
    return undefined;
  }
}

export function readBreadcrumb(folder: string, terminal: string): Breadcrumb | undefined {
  try {
    const [cwd, sessionFile, third] = readFileSync(join(folder, terminal), "utf8").split("\n");
    if (!cwd || !sessionFile) return undefined;
    return { cwd, sessionFile, isFresh: third?.trim() === FRESH };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") ignore(error, "without a breadcrumb the newest session counts");
    return undefined;
  }
}

/** Best effort: a folder that cannot be written costs the breadcrumb, never the session. */
export async function writeBreadcrumb(
  folder: string,
  terminal: string,
  { cwd, sessionFile, isFresh }: Breadcrumb,
): Promise<void> {
  try {
    makePrivateFolder(folder);
    const lines = [cwd, sessionFile, ...(isFresh ? [FRESH] : [])];
    await replaceFile(join(folder, terminal), `${lines.join("\n")}\n`, {
      mode: 0o600,
      durable: false,
    });
  } catch (error) {
    ignore(error, "a breadcrumb is a convenience");
  }
}

/** Undefined on systems without /proc. */
function linkOfInput(): string | undefined {
  try {
    return readlinkSync("/proc/self/fd/0");
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function fileName(text: string): string {
  return text.replaceAll(/[^\w.%-]/g, "-").slice(0, 100);
}
