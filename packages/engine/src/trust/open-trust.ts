/** Trust alone, to look at and to change: no session, no model. */

import { systemClock, UserError, type Clock } from "@omp/std";
import { resolve } from "node:path";
import { pathsOf, type Environment } from "../paths.ts";
import { trustItems, type CollectedItem } from "./collect.ts";
import { canonicalPath, decisionOn, isWithin, projectRoot, type DecidedFolder } from "./folder.ts";
import { trustFile } from "./open-door.ts";
import { createTrustStore, type Consent, type Decisions } from "./store.ts";
import { stampOf, withFolder, withItems } from "./trust.ts";

export interface OpenTrustOptions {
  readonly home: string;
  readonly environment: Environment;
  readonly version: string;
  readonly clock?: Clock;
  /** Hears of a file that cannot be read. */
  warn(text: string): void;
}

export interface FolderReport {
  readonly folder: string;
  /** What counts for it: a decision on it, or on a folder above it. */
  readonly decision: DecidedFolder | undefined;
  readonly items: readonly CollectedItem[];
}

export interface TrustDesk {
  /** `trust.json` */
  readonly file: string;
  look(folder: string): Promise<FolderReport>;
  all(): Decisions;
  /** @returns the items that are allowed now, none unless asked for */
  allow(folder: string, withItemsToo: boolean): Promise<FolderReport>;
  /** Takes back consent to a folder and all in it, or to the item at a path. */
  revoke(path: string): Promise<Revoked>;
}

export interface Revoked {
  readonly folders: readonly string[];
  readonly items: readonly Consent[];
}

export function openTrust(options: OpenTrustOptions): TrustDesk {
  const { home, environment, version, clock = systemClock, warn } = options;
  const paths = pathsOf(environment, home);
  const store = createTrustStore(trustFile(paths), clock, warn);
  const look = async (wanted: string): Promise<FolderReport> => {
    const folder = canonicalPath(wanted);
    const decisions = store.read();
    const items = trustItems({ cwd: folder, home, agentDir: paths.agent }, decisions);
    return { folder, decision: decisionOn(folder, decisions), items };
  };
  return {
    file: store.file,
    look,
    all: () => store.read(),
    async allow(wanted, withItemsToo) {
      const { folder, items } = await look(wanted);
      const stamp = stampOf({ clock, version });
      const granted = withItemsToo ? items.filter(({ isByFolder }) => !isByFolder) : [];
      await store.change((before) =>
        withItems(granted, stamp)(withFolder(folder, { isTrusted: true, ...stamp })(before)),
      );
      return look(folder);
    },
    async revoke(wanted) {
      const path = canonicalPath(wanted);
      const before = store.read();
      const folders = Object.keys(before.folders).filter((folder) => folder === path);
      const isFolder = folders.length > 0 || projectRoot(path) === path;
      const items = before.items.filter((item) =>
        isFolder ? isWithin(item.path, path) : item.path === path || item.path === resolve(wanted),
      );
      if (folders.length + items.length === 0) throw nothingAt(path, before);
      await store.change((now) => without(now, folders, items));
      return { folders, items };
    },
  };
}

function without(
  now: Decisions,
  folders: readonly string[],
  items: readonly Pick<Consent, "path">[],
): Decisions {
  const gone = new Set(items.map(({ path }) => path));
  return {
    folders: Object.fromEntries(
      Object.entries(now.folders).filter(([folder]) => !folders.includes(folder)),
    ),
    items: now.items.filter(({ path }) => !gone.has(path)),
  };
}

function nothingAt(path: string, decisions: Decisions): UserError {
  const above = decisionOn(path, decisions);
  const hint = above?.isTrusted ? ` It is covered by ${above.folder}: revoke that.` : "";
  return new UserError("bad-input", `Nothing is allowed at ${path}.${hint}`);
}
