/** What the system refuses about one file: the caller hears every time, the log once. */

import { log, type UserError } from "@omp/std";
import { sessionError } from "./io-error.ts";

export class Refusals {
  readonly #path: () => string;
  #hasLogged = false;

  constructor(path: () => string) {
    this.#path = path;
  }

  told<Value>(act: () => Value): Value {
    try {
      return act();
    } catch (error) {
      throw this.of(error);
    }
  }

  of(error: unknown): UserError {
    const path = this.#path();
    const told = sessionError("write", path, error);
    if (!this.#hasLogged) log.error("session-not-written", { path, reason: told.message });
    this.#hasLogged = true;
    return told;
  }
}
