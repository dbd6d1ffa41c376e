/** The folder that the session works in. Whoever depends on it follows it here. */

export class Workplace {
  #cwd: string;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  get cwd(): string {
    return this.#cwd;
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
