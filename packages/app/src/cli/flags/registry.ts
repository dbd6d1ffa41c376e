/** Every flag, in the order of the help text. Parser, help and reference are made from this list. */

import type { Flag } from "../flag.ts";
import { modelFlags } from "./model.ts";
import { otherFlags } from "./other.ts";
import { outputFlags } from "./output.ts";
import { promptFlags } from "./prompt.ts";
import { sessionFlags } from "./session.ts";
import { toolFlags } from "./tools.ts";

export const flags: readonly Flag[] = [
  ...modelFlags,
  ...sessionFlags,
  ...toolFlags,
  ...promptFlags,
  ...outputFlags,
  ...otherFlags,
];
