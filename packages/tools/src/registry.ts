/** Every tool of the house, in the order the model sees them. */

import type { Tool } from "@omp/agent";
import { bash } from "./bash/tool.ts";
import { edit, editTool, type Dialect } from "./edit/tool.ts";
import { find } from "./find/tool.ts";
import { read } from "./read/tool.ts";
import { search } from "./search/tool.ts";
import type { Hosts } from "./shared/hosts.ts";
import { write } from "./write/tool.ts";

export const tools: readonly Tool<Hosts>[] = [read, search, find, edit, write, bash];

/** The same tools, with edits in the form that was chosen. */
export function inDialect(
  offered: readonly Tool<Hosts>[],
  dialect: Dialect,
): readonly Tool<Hosts>[] {
  return offered.map((tool) => (tool === edit ? editTool(dialect) : tool));
}
