/** A process of its own that brings an index up to date and says how many entries have a word. */

import { join } from "node:path";
import { openSessionIndex } from "@omp/session";

const folder = process.argv[2]!;
using index = await openSessionIndex(join(folder, "sessions.db"));
const hits = await index.search("tide", [folder], { sessions: Infinity, entries: Infinity });
console.log(hits.length);
