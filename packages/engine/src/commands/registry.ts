/** Slash commands that need no screen, in the order of `/help`. One new file and one line here adds one. */

import { branch } from "./built-in/branch.ts";
import { compact, handoff, uncompact } from "./built-in/compact.ts";
import { dump } from "./built-in/dump.ts";
import { exportSession } from "./built-in/export.ts";
import { fork } from "./built-in/fork.ts";
import { help } from "./built-in/help.ts";
import { label } from "./built-in/label.ts";
import { model } from "./built-in/model.ts";
import { move } from "./built-in/move.ts";
import { newSession } from "./built-in/new.ts";
import { clearQueue, queue } from "./built-in/queue.ts";
import { pin, unpin } from "./built-in/pin.ts";
import { rename } from "./built-in/rename.ts";
import { resume } from "./built-in/resume.ts";
import { session } from "./built-in/session.ts";
import { share } from "./built-in/share.ts";
import type { SlashCommand } from "./slash-command.ts";
import { thinking } from "./built-in/thinking.ts";
import { tree } from "./built-in/tree.ts";
import { usage } from "./built-in/usage.ts";

export const builtInCommands: readonly SlashCommand[] = [
  newSession,
  resume,
  fork,
  branch,
  tree,
  label,
  rename,
  move,
  session,
  usage,
  compact,
  uncompact,
  handoff,
  pin,
  unpin,
  exportSession,
  dump,
  share,
  model,
  thinking,
  queue,
  clearQueue,
  help,
];
