/** The folder that the session works in. Whoever depends on it follows it here. */

import { resolve } from "node:path";

export class Workplace {
  readonly #home: string;
  #cwd: string;

  constructor(cwd: string, home: string) {
    this.#cwd = cwd;
    this.#home = home;
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** A path as a person writes it, in full. */
  resolve(path: string): string {
    const isAtHome = path === "~" || path.startsWith("~/");
    return isAtHome ? resolve(this.#home, path.slice(2)) : resolve(this.#cwd, path);
  }

  moveTo(cwd: string): void {
    this.#cwd = cwd;
  }

  /** A value that the folder decides: made at its first use in a folder, and again after a move. */
  follow<Value>(make: (cwd: string) => Value): () => Value {
    let made: { readonly cwd: string; readonly value: Value } | undefined;
    return () => {
      if (made?.cwd !== this.#cwd) made = { cwd: this.#cwd, value: make(this.#cwd) };
      return made.value;
    };
  }
}
