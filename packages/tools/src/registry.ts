/** Every tool of the house, in the order the model sees them. */

import type { Tool } from "@omp/agent";
import { bash } from "./bash/tool.ts";
import { read } from "./read/tool.ts";
import type { Hosts } from "./shared/hosts.ts";
import { write } from "./write/tool.ts";

export const tools: readonly Tool<Hosts>[] = [read, write, bash];
