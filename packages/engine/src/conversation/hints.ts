/** What goes with the next request and is then forgotten: reminders, and which tool the model must call. */

import type { Reminders } from "@omp/agent";
import type { ToolChoice } from "@omp/ai/schema";

export class Hints implements Reminders {
  #reminders: string[] = [];
  #choices: ToolChoice[] = [];
  #isSent = false;

  remind(text: string): void {
    this.#reminders.push(text);
  }

  /** Not every wire and model can be forced: the reminder says the same in words. */
  force(choice: ToolChoice, reminder: string): void {
    this.#choices.push(choice);
    this.remind(reminder);
  }

  /** For a request that goes out now. It stays until that is answered, so that a retry asks for the same. */
  sendChoice(): ToolChoice | undefined {
    this.#isSent = this.#choices.length > 0;
    return this.#choices[0];
  }

  answered(): void {
    if (this.#isSent) this.#choices.shift();
    this.#isSent = false;
  }

  takeReminders(): readonly string[] {
    return this.#reminders.splice(0);
  }

  clear(): void {
    this.#reminders = [];
    this.#choices = [];
  }
}
