/** What the person says while a run is in progress, until it is heard or taken back. */

import { MessageQueue, type Inbox, type QueueModes, type QueueName } from "@omp/agent";
import type { StoredMessage } from "@omp/session";
import type { PromptFields, Said } from "../protocol/commands/run.ts";
import type { Opening } from "./intake.ts";

export interface PersonInboxDeps {
  intake(prompt: PromptFields): Promise<Opening>;
  /** Puts a message into the conversation. */
  add(message: StoredMessage): void;
  /** The queues are different now. */
  changed(): void;
}

/** As the person said it, and as the model will get it. */
interface Queued {
  readonly said: Said;
  readonly opening: Opening;
}

export interface Waiting {
  readonly steering: readonly Said[];
  readonly followUp: readonly Said[];
}

export class PersonInbox implements Inbox {
  readonly #deps: PersonInboxDeps;
  readonly #queue: MessageQueue<Queued>;

  constructor(modes: QueueModes, deps: PersonInboxDeps) {
    this.#deps = deps;
    this.#queue = new MessageQueue(modes);
  }

  get modes(): QueueModes {
    return this.#queue.modes;
  }

  get interrupts(): boolean {
    return this.#queue.interrupts;
  }

  get waiting(): Waiting {
    const saidIn = (name: QueueName) => this.#queue.waiting(name).map(({ said }) => said);
    return { steering: saidIn("steer"), followUp: saidIn("followUp") };
  }

  setModes(modes: Partial<QueueModes>): void {
    this.#queue.setModes(modes);
  }

  /** Without a run it waits for the next prompt. @throws UserError where something cannot be attached */
  async add(queue: QueueName, prompt: PromptFields): Promise<void> {
    const opening = await this.#deps.intake(prompt);
    const { text, images } = prompt;
    this.#queue.add(queue, { said: images ? { text, images } : { text }, opening });
    this.#deps.changed();
  }

  deliver(queue: QueueName): boolean {
    const due = this.#queue.take(queue);
    if (due.length === 0) return false;
    this.#deps.changed();
    for (const { opening } of due) for (const message of opening) this.#deps.add(message);
    return true;
  }

  /** Takes back everything that waits. */
  clear(): Waiting {
    const { waiting } = this;
    if (this.#queue.isEmpty) return waiting;
    this.#queue.clear();
    this.#deps.changed();
    return waiting;
  }
}
