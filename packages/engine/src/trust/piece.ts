/** Something in a repository that wants to run, or to redirect what runs. */

export interface Piece {
  /** `hook`, `tool`, `extension`, `mcp-server`, `settings`, `git`, ... */
  readonly kind: string;
  readonly path: string;
  /** Which of several in one file. */
  readonly name?: string;
  /** What it would do, in a few words. */
  readonly why: string;
  /** Nothing of ours runs it; a trusted folder is all it takes. */
  readonly isByFolder?: boolean;
  /** What matters of a piece that is data; without it the file itself and all it loads. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** One way to find them. The folder is the canonical root of the project. */
export type PieceSource = (root: string) => Promise<readonly Piece[]>;
