/** A look at the file system that is remembered: what was listed once is not listed again. */

import { HostError } from "@omp/host";
import fs from "node:fs";
import { join } from "node:path";
import { Ignored } from "./ignored.ts";
import { isInside, type Surveyed } from "./place.ts";

export interface Entry {
  readonly name: string;
  /** Also for a link to one. */
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** More is no configuration. */
const MAX_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads at once instead of in the background: for many small files that is faster, and the system
 * prompt is needed before anything else can happen.
 */
export class Look {
  readonly place: Surveyed;
  readonly #entries = new Map<string, readonly Entry[]>();
  readonly #kinds = new Map<string, "file" | "folder" | undefined>();
  readonly #there = new Map<string, boolean>();
  /** Folders that are known to be where they seem to be. */
  readonly #bounded = new Set<string>();
  #ignored: Ignored | undefined;

  constructor(place: Surveyed) {
    this.place = place;
  }

  /** What is at `path` below `root`. A folder that is not there is asked for once. */
  kindOf(root: string, path: string): "file" | "folder" | undefined {
    const end = path.indexOf("/");
    if (end > 0 && !this.#isThere(`${root}/${path.slice(0, end)}`)) return undefined;
    return this.#kindAt(`${root}/${path}`);
  }

  #isThere(path: string): boolean {
    const known = this.#there.get(path);
    if (known !== undefined) return known;
    const found = fs.existsSync(path);
    this.#there.set(path, found);
    return found;
  }

  #kindAt(path: string): "file" | "folder" | undefined {
    if (this.#kinds.has(path)) return this.#kinds.get(path);
    if (!fs.existsSync(path)) return undefined;
    const found = fs.statSync(path, { throwIfNoEntry: false });
    const kind = found && (found.isDirectory() ? "folder" : "file");
    this.#kinds.set(path, kind);
    return kind;
  }

  /** Sorted by name, hidden ones left out. */
  entries(folder: string): readonly Entry[] {
    const known = this.#entries.get(folder);
    if (known) return known;
    const entries = fs
      .readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .map((entry) => ({
        name: entry.name,
        isFolder: entry.isSymbolicLink()
          ? this.#kindAt(`${folder}/${entry.name}`) === "folder"
          : entry.isDirectory(),
        isLink: entry.isSymbolicLink(),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#entries.set(folder, entries);
    return entries;
  }

  isEmpty(folder: string): boolean {
    return fs.readdirSync(folder).length === 0;
  }

  /** Whether a pattern of the repository fits the path itself; folders above it do not count. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const { repository, home } = this.place;
    if (repository === undefined) return false;
    this.#ignored ??= new Ignored(repository, join(home, ".config/git/ignore"));
    return this.#ignored.fits(path, isFolder);
  }

  /**
   * @param bound the folder that the file belongs to. A repository may hold a link to a file of the
   * person: what a project brings is read from the project only.
   */
  text(path: string, bound?: string): string {
    const found = fs.lstatSync(path);
    const isLink = found.isSymbolicLink();
    if (bound !== undefined) this.#checkBound(path, bound, isLink);
    const target = isLink ? fs.statSync(path) : found;
    // A pipe would be waited for without an end.
    if (!target.isFile()) throw new HostError("not-a-file", "not a regular file");
    if (target.size > MAX_BYTES) {
      throw new HostError("too-large", `larger than ${MAX_BYTES / 1024} KiB`);
    }
    const text = fs.readFileSync(path, "utf8");
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }

  #checkBound(path: string, bound: string, isLink: boolean): void {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const inside = `${bound}\0${folder}`;
    if (!isLink && this.#bounded.has(inside)) return;
    const target = isLink ? fs.realpathSync(path) : fs.realpathSync(folder);
    const roots = [bound, this.place.repository ?? this.place.cwd].map((one) =>
      fs.realpathSync(one),
    );
    if (!roots.some((root) => target === root || isInside(target, root))) {
      throw new HostError("not-a-file", `it leads out of the project, to ${target}`);
    }
    if (!isLink) this.#bounded.add(inside);
  }
}
