/** Hooks: modules that run before or after tool calls. Only listed here. */

import type { Hook } from "../item.ts";
import { itemOf, type Kind } from "../kind.ts";

export const hook: Kind<Hook> = {
  key: ({ stage, tool, name }) => `${stage}:${tool}:${name}`,
  read: (found) => [
    { ...itemOf(found), stage: found.says["stage"] === "post" ? "post" : "pre", tool: "*" },
  ],
};
