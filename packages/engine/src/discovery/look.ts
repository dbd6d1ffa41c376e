/** A look at the file system that is remembered: what was listed once is not listed again. */

import { HostError } from "@omp/host";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { Ignored } from "./ignored.ts";
import { isInside, type Surveyed } from "./place.ts";

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** More is no configuration. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads at once instead of in the background: for many small files that is faster, and the system
 * prompt is needed before anything else can happen.
 */
export class Look {
  readonly place: Surveyed;
  readonly #entries = new Map<string, readonly Entry[]>();
  readonly #kinds = new Map<string, "file" | "folder" | undefined>();
  readonly #there = new Map<string, boolean>();
  readonly #real = new Map<string, string>();
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
          ? this.#kindAt(join(folder, entry.name)) === "folder"
          : entry.isDirectory(),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#entries.set(folder, entries);
    return entries;
  }

  isEmpty(folder: string): boolean {
    return fs.readdirSync(folder).length === 0;
  }

  /** What git knows of this project. */
  get ignored(): Ignored {
    const { repository, cwd, home } = this.place;
    this.#ignored ??= new Ignored(repository ?? cwd, join(home, ".config/git/ignore"));
    return this.#ignored;
  }

  /**
   * @param bound the folder that the file belongs to. A repository may hold a link to a file of the
   * person: what a project brings is read from the project only.
   */
  text(path: string, bound?: string): string {
    const found = fs.lstatSync(path);
    if (bound !== undefined) this.#checkBound(path, bound, found.isSymbolicLink());
    const { size, ...target } = described(found.isSymbolicLink() ? fs.statSync(path) : found);
    // A pipe would be waited for without an end.
    if (!target.isFile) throw new HostError("not-a-file", `not a regular file`);
    if (size > MAX_BYTES) {
      throw new HostError("too-large", `larger than ${MAX_BYTES / 1024} KiB`);
    }
    return fs.readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  }

  #checkBound(path: string, bound: string, isLink: boolean): void {
    const target = isLink ? fs.realpathSync(path) : this.#realFolder(dirname(path));
    const roots = [bound, this.place.repository ?? this.place.cwd].map((folder) =>
      this.#realFolder(folder),
    );
    if (roots.some((root) => target === root || isInside(target, root))) return;
    throw new HostError("not-a-file", `it leads out of the project, to ${target}`);
  }

  #realFolder(folder: string): string {
    const known = this.#real.get(folder);
    if (known !== undefined) return known;
    const real = fs.realpathSync(folder);
    this.#real.set(folder, real);
    return real;
  }
}

function described(stats: fs.Stats): { readonly size: number; readonly isFile: boolean } {
  return { size: stats.size, isFile: stats.isFile() };
}
