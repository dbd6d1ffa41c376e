/** Writes changed settings to config.yml in the background: one write at a time, what comes meanwhile goes together. */

import { changeConfig } from "./config-change.ts";
import { resetInText, setInText } from "./config-text.ts";

export class ConfigSaver {
  readonly #path: string;
  readonly #onSaved: (names: readonly string[], error?: unknown) => Promise<void>;
  /** Undefined takes a setting out of the file. */
  #waiting = new Map<string, unknown>();
  #writing: Promise<void> | undefined;

  /** @param onSaved also hears of what could not be saved, with the reason */
  constructor(path: string, onSaved: (names: readonly string[], error?: unknown) => Promise<void>) {
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
      const names = [...changes.keys()];
      try {
        await changeConfig(this.#path, (text) => [...changes].reduce(changed, text));
        await this.#onSaved(names);
      } catch (error) {
        await this.#onSaved(names, error);
      }
    }
    this.#writing = undefined;
  }
}

function changed(text: string, [name, value]: readonly [string, unknown]): string {
  return value === undefined ? resetInText(text, name) : setInText(text, name, value);
}
