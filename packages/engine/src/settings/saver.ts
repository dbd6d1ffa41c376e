/** Writes changed settings to config.yml in the background: one write at a time, what comes meanwhile goes together. */

import { changeConfig } from "./config-change.ts";
import { resetInText, setInText } from "./config-text.ts";

/** Hears of what was saved, and with the reason of what could not be. */
export type OnSaved = (changes: ReadonlyMap<string, unknown>, error?: unknown) => Promise<void>;

export class ConfigSaver {
  readonly #path: string;
  readonly #onSaved: OnSaved;
  /** Undefined takes a setting out of the file. */
  #waiting = new Map<string, unknown>();
  #writing: Promise<void> | undefined;

  constructor(path: string, onSaved: OnSaved) {
    this.#path = path;
    this.#onSaved = onSaved;
  }

  add(name: string, value: unknown): void {
    this.#waiting.set(name, value);
    this.#writing ??= this.#write();
  }

  /** When nothing is left to write. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // All changes of this moment are one.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const changes = this.#waiting;
      this.#waiting = new Map();
      try {
        await changeConfig(this.#path, (text) => [...changes].reduce(changed, text));
        await this.#onSaved(changes);
      } catch (error) {
        await this.#onSaved(changes, error);
      }
    }
    this.#writing = undefined;
  }
}

function changed(text: string, [name, value]: readonly [string, unknown]): string {
  return value === undefined ? resetInText(text, name) : setInText(text, name, value);
}
