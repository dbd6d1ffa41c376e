/** What a list says about one session, without having read it whole. */

export type SessionStatus =
  | "complete"
  /** The last answer called tools and nothing came after: its process died. */
  | "interrupted"
  | "aborted"
  | "error"
  /** The person asked, and there is no answer yet. */
  | "pending"
  | "unknown";

export interface SessionSummary {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  /** Title, else the first words of the person, else `Untitled · <time>`; one line, safe to show. */
  readonly name: string;
  readonly title?: string;
  readonly parentSession?: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly bytes: number;
  readonly messageCount: number;
  /** `(no messages)` if there is none. */
  readonly firstMessage: string;
  readonly status: SessionStatus;
}
