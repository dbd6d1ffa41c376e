/** What a person says while a run is in progress: steering messages go in between, follow-ups wait for its end. */

export type QueueMode = "all" | "one-at-a-time";
export type InterruptMode = "immediate" | "wait";
export type QueueName = "steer" | "followUp";

export interface QueueModes {
  readonly steeringMode: QueueMode;
  readonly followUpMode: QueueMode;
  readonly interruptMode: InterruptMode;
}

/** The loop's view of what waits. */
export interface Inbox {
  /** Somebody wants to be heard before the tool calls that are left in this turn. */
  readonly interrupts: boolean;
  /** Puts what waits into the conversation, as much as its mode allows. @returns whether there was something */
  deliver(queue: QueueName): boolean;
}

export class MessageQueue<Item> {
  readonly #waiting: Record<QueueName, Item[]> = { steer: [], followUp: [] };
  #modes: QueueModes;

  constructor(modes: QueueModes) {
    this.#modes = modes;
  }

  get modes(): QueueModes {
    return this.#modes;
  }

  get interrupts(): boolean {
    return this.#modes.interruptMode === "immediate" && this.#waiting.steer.length > 0;
  }

  get isEmpty(): boolean {
    return this.#waiting.steer.length === 0 && this.#waiting.followUp.length === 0;
  }

  waiting(queue: QueueName): readonly Item[] {
    return this.#waiting[queue];
  }

  setModes(modes: Partial<QueueModes>): void {
    this.#modes = { ...this.#modes, ...modes };
  }

  add(queue: QueueName, item: Item): void {
    this.#waiting[queue].push(item);
  }

  /** Those that are due now, oldest first. */
  take(queue: QueueName): readonly Item[] {
    const { steeringMode, followUpMode } = this.#modes;
    const mode = queue === "steer" ? steeringMode : followUpMode;
    const items = this.#waiting[queue];
    return items.splice(0, mode === "all" ? items.length : 1);
  }

  /** Takes everything back. */
  clear(): Readonly<Record<QueueName, readonly Item[]>> {
    const { steer, followUp } = this.#waiting;
    return { steer: steer.splice(0), followUp: followUp.splice(0) };
  }
}
