/** What is read by other means than lines: archives, databases, documents, pages. Each door is loaded when it is used. */

import { lazy, type Clock } from "@omp/std";
import type { Archives } from "./archives/archives.ts";
import type { Documents } from "./documents/documents.ts";
import type { Processes } from "./process/processes.ts";
import type { Databases } from "./sqlite/databases.ts";
import type { MarkdownOptions } from "./web/markdown.ts";
import type { Resolve } from "./web/target.ts";
import type { Web } from "./web/web.ts";

export interface Sources {
  readonly archives: Archives;
  readonly databases: Databases;
  readonly documents: Documents;
  readonly web: Web;
  /** HTML for a reader. */
  markdown(html: string, options?: MarkdownOptions): Promise<string>;
}

export interface SourcesOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Hosts that may be asked although their addresses are private; `*` is all. */
  readonly privateHosts: readonly string[];
  /** Looks names up; the system unless given. */
  readonly resolve?: Resolve;
}

export function createSources(options: SourcesOptions): Sources {
  const archives = lazy(async () => (await import("./archives/archives.ts")).archives);
  const documents = lazy(async () => (await import("./documents/documents.ts")).documents);
  const databases = lazy(async () =>
    (await import("./sqlite/databases.ts")).createDatabases(options),
  );
  const web = lazy(async () => (await import("./web/web.ts")).createWeb(options));
  return {
    archives: {
      list: async (...args) => (await archives()).list(...args),
      read: async (...args) => (await archives()).read(...args),
    },
    databases: { ask: async (...args) => (await databases()).ask(...args) },
    documents: { text: async (...args) => (await documents()).text(...args) },
    web: { fetch: async (...args) => (await web()).fetch(...args) },
    async markdown(html, markdownOptions) {
      const { markdownOf } = await import("./web/markdown.ts");
      return (await markdownOf(html, markdownOptions)).text;
    },
  };
}
