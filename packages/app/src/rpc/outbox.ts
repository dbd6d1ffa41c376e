/**
 * Frames on their way to the client. Nothing waits for a client that reads slowly: what it must have is
 * kept, and what only tells how far an answer is gets fewer and newer.
 */

import type { EngineEvent } from "@omp/engine/protocol";
import type { OutFrame } from "@omp/rpc-client/wire";
import type { Clock } from "@omp/std";
import { Pipe, type PipeDeps } from "./pipe.ts";
import { createUpdate, type Update } from "./update.ts";

type UpdateEvent = Extract<EngineEvent, { type: "message_update" }>;

/** Where updates begin to be left out. */
const FULL = 8 * 1024 * 1024;
/** How fast the same answer may be told again and again, and the longest time between two tellings. */
const UPDATE_CHARACTERS_PER_MS = 16 * 1024;
const MAX_UPDATE_WAIT_MS = 250;

export class Outbox {
  readonly #clock: Clock;
  readonly pipe: Pipe;
  /** What was said before `ready`. */
  #held: OutFrame[] | undefined = [];
  /** The newest update, as long as it can still grow. */
  #update: Update | undefined;
  #callOffUpdate: (() => void) | undefined;
  #lastUpdateLength = 0;

  constructor(deps: Omit<PipeDeps, "onTaken">) {
    this.#clock = deps.clock;
    this.pipe = new Pipe({ ...deps, onTaken: () => this.#armUpdate() });
  }

  /** The first line. Whatever was said before it follows. */
  ready(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    for (const frame of [{ type: "ready" } as const, ...held]) this.send(frame);
  }

  send(frame: OutFrame): void {
    if (this.#held) return void this.#held.push(frame);
    this.#finishUpdate();
    const kind = frame.type === "tool_execution_update" ? frame.toolCallId : undefined;
    if (kind !== undefined && this.#isFull) this.pipe.takeBack(kind);
    this.pipe.push(`${JSON.stringify(frame)}\n`, kind);
  }

  /** Deltas of one block that come close together leave as one, since each line carries the whole message so far. */
  update(event: UpdateEvent): void {
    if (!this.#update?.absorb(event)) {
      this.#finishUpdate();
      this.#update = createUpdate(event);
    }
    this.#armUpdate();
  }

  /** Resolves when all has left, nobody reads any more, or nothing was taken for `patienceMs`. */
  drained(patienceMs: number): Promise<void> {
    this.#finishUpdate();
    return this.pipe.drained(patienceMs);
  }

  get #isFull(): boolean {
    return this.pipe.length > FULL;
  }

  /** Before anything else is said the update leaves, or is left out: its message comes whole in the end. */
  #finishUpdate(): void {
    this.#callOffUpdate?.();
    this.#callOffUpdate = undefined;
    const update = this.#update;
    if (!update) return;
    this.#update = undefined;
    if (this.#isFull) return;
    const line = update.line();
    this.#lastUpdateLength = line.length;
    this.pipe.push(line);
  }

  #armUpdate(): void {
    if (!this.#update || this.#callOffUpdate || this.#isFull) return;
    const wait = Math.min(this.#lastUpdateLength / UPDATE_CHARACTERS_PER_MS, MAX_UPDATE_WAIT_MS);
    this.#callOffUpdate = this.#clock.after(wait, () => {
      this.#callOffUpdate = undefined;
      if (!this.#isFull) this.#finishUpdate();
    });
  }
}
