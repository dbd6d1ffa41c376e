/** Sessions get a title from their first prompt, beside the run and without ever delaying it. */

import { fieldsOf, isRecord, type SessionLog } from "@omp/session";
import { log, messageOf } from "@omp/std";

export interface TitlesDeps {
  /** Undefined where the models have none to give. */
  titleFor(text: string, signal: AbortSignal): Promise<string | undefined>;
  /** Hears of a title that was given. */
  titled(title: string): void;
}

export class Titles {
  readonly #deps: TitlesDeps;
  readonly #closing = new AbortController();

  constructor(deps: TitlesDeps) {
    this.#deps = deps;
  }

  /** Begins to look for a title where the session has none and this is its first prompt. */
  consider(text: string, session: SessionLog): void {
    if (text.trim() === "" || hasTitle(session) || promptsIn(session) !== 1) return;
    this.#give(text, session).catch((error) => log.debug("no-title", { error: messageOf(error) }));
  }

  /** Nobody waits for a title. */
  close(): void {
    this.#closing.abort();
  }

  async #give(text: string, session: SessionLog): Promise<void> {
    const { signal } = this.#closing;
    const title = await this.#deps.titleFor(text, signal);
    // The person may have named it in the meantime, and theirs is the better name.
    if (title === undefined || signal.aborted || hasTitle(session)) return;
    session.rename(title, "auto");
    this.#deps.titled(title);
  }
}

function hasTitle({ header }: SessionLog): boolean {
  return header.title !== undefined && header.title !== "";
}

function promptsIn(session: SessionLog): number {
  return session.branch().filter((entry) => {
    const { message } = fieldsOf(entry);
    return entry.type === "message" && isRecord(message) && message.role === "user";
  }).length;
}
