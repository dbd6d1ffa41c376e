/** Commands that give a session away: as a page, as text, to others. None of them adds an entry. */

import type { Asks } from "../asks.ts";

export interface ShareResult {
  readonly url?: string;
  readonly previewUrl?: string;
  readonly message: string;
}

export interface ExportCommands {
  /** Writes one self-contained page; answers with its path. A default name in the working directory without one. */
  export_html: Asks<{ readonly path?: string }, { readonly path: string }>;
  export_markdown: Asks<{ readonly path?: string }, { readonly path: string }>;
  export_json: Asks<{ readonly path?: string }, { readonly path: string }>;
  /** The whole conversation as text; undefined when there is nothing yet. */
  dump_text: Asks<object, string | undefined>;
  share_session: Asks<object, ShareResult>;
  abort_share: Asks<object>;
}
