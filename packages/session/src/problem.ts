/** What can be wrong with a line of a session file. */

export interface LineProblem {
  /** The first line is 1. */
  readonly line: number;
  readonly kind:
    /** Not a JSON object. */
    | "not-json"
    /** The last line has no end: its writer died. */
    | "torn"
    /** Zero bytes, left by a file system after a crash. */
    | "zeros"
    /** JSON, but nothing that has a place in the tree. */
    | "not-an-entry"
    /** The entry is kept as a root. */
    | "missing-parent"
    /** The id was taken: in memory the entry has another one. */
    | "duplicate-id"
    /** The file counts as empty, unless there are entries in it. */
    | "no-header";
}
