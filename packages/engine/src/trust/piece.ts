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

/** Where a person works, and their own folders. */
export interface TrustPlace {
  /** Canonical. */
  readonly cwd: string;
  readonly home: string;
  /** `~/.omp/agent` */
  readonly agentDir: string;
}

/** One way to find them. Folders are canonical, nearest first, up to the root of the project. */
export type PieceSource = (folders: readonly string[], place: TrustPlace) => readonly Piece[];
