/** What one migration is: an old setting, and what it is today. */

export interface Migration {
  /** Full name of the old setting. */
  readonly from: string;
  /** Today's settings by full name; undefined where the value is none of the old ones. */
  migrate(value: unknown): Readonly<Record<string, unknown>> | undefined;
}
