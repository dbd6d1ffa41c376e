/** The person's config.yml while omp runs: what it says, what was changed here, what is still to be written. */

import { messageOf } from "@omp/std";
import fs from "node:fs";
import { readConfigFile } from "./config-file.ts";
import { withoutValue, withValue } from "./fields.ts";
import type { Layer } from "./layer.ts";
import type { ConfigSaver } from "./saver.ts";
import { layerOf, type SettingProblem } from "./stack.ts";

interface Ears {
  /** Hears of changes that could not be saved, and of a file that was broken while omp ran. */
  readonly warn?: ((problem: SettingProblem) => void) | undefined;
  /** When the file has what was changed here. */
  onSaved(): Promise<void>;
}

export class ConfigLayer {
  readonly #path: string;
  readonly #ears: Ears;
  /** Changes of this process that the file does not have yet. Undefined is a reset. */
  readonly #unsaved = new Map<string, unknown>();
  #layer: Layer | undefined;
  #problem: SettingProblem | undefined;
  /** What the file was when it was read. */
  #stamp: string | undefined;
  #saver: ConfigSaver | undefined;

  constructor(path: string, ears: Ears) {
    this.#path = path;
    this.#ears = ears;
  }

  /** With what was changed here. Undefined where neither says anything. */
  get layer(): Layer | undefined {
    if (this.#unsaved.size === 0) return this.#layer;
    const empty = { kind: "ok", path: this.#path, text: "", values: {} } as const;
    const layer = this.#layer ?? layerOf("file", empty);
    let { values } = layer.migrated;
    for (const [name, value] of this.#unsaved) {
      values = withoutValue(values, name);
      if (value !== undefined) values = withValue(values, name, value);
    }
    return { ...layer, migrated: { ...layer.migrated, values } };
  }

  /** Why the file says nothing, or nothing new. */
  get problem(): SettingProblem | undefined {
    return this.#problem;
  }

  /** Reads the file if it is another one than before; one look where it is not. @returns whether it was read */
  refresh(): boolean {
    const stamp = stampOf(this.#path);
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    this.#problem = undefined;
    if (stamp === ABSENT) {
      this.#layer = undefined;
      return true;
    }
    const file = readConfigFile(this.#path);
    if (file.kind === "error") this.#problem = this.#broken(file.place, file.reason);
    else this.#layer = file.kind === "ok" ? layerOf("file", file) : undefined;
    return true;
  }

  /** Holds at once; the file has it later. */
  async change(name: string, value: unknown): Promise<void> {
    const { ConfigSaver: Saver } = await import("./saver.ts");
    this.#saver ??= new Saver(this.#path, (changes, error) => this.#saved(changes, error));
    this.#unsaved.set(name, value);
    this.#saver.add(name, value);
  }

  async flush(): Promise<void> {
    await this.#saver?.flush();
  }

  /** A change that could not be saved holds while the process lives. */
  async #saved(changes: ReadonlyMap<string, unknown>, error?: unknown): Promise<void> {
    if (error !== undefined) {
      const message = `${[...changes.keys()].join(", ")} could not be saved: ${messageOf(error)}`;
      this.#ears.warn?.({ kind: "unreadable", place: this.#path, message, origin: "file" });
      return;
    }
    for (const [name, value] of changes) {
      // A later change of the same setting is on its way.
      if (this.#unsaved.get(name) === value) this.#unsaved.delete(name);
    }
    await this.#ears.onSaved();
  }

  #broken(place: string, reason: string): SettingProblem {
    const rest = this.#layer ? "what it said before is in force" : "defaults are in force";
    const message = `cannot be read: ${reason}; ${rest}`;
    const problem = { kind: "unreadable", place, message, origin: "file" } as const;
    // At the start whoever loads the settings tells it.
    if (this.#layer) this.#ears.warn?.(problem);
    return problem;
  }
}

const ABSENT = "none";

/** Tells one state of a file from another. */
function stampOf(path: string): string {
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : ABSENT;
  } catch (error) {
    return messageOf(error);
  }
}
