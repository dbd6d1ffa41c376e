/** How commands are typed: each area lists its own, with what it takes and what it answers. */

import type { CompactionCommands } from "./commands/compaction.ts";
import type { ExportCommands } from "./commands/export.ts";
import type { LedgerCommands } from "./commands/ledger.ts";
import type { ModelCommands } from "./commands/model.ts";
import type { RunCommands } from "./commands/run.ts";
import type { SessionCommands } from "./commands/session.ts";
import type { ToolCommands } from "./commands/tools.ts";

/** Everything a front end can ask for. */
export interface CommandMap
  extends
    RunCommands,
    ModelCommands,
    SessionCommands,
    ToolCommands,
    ExportCommands,
    CompactionCommands,
    LedgerCommands {}

export type CommandType = keyof CommandMap;
export type CommandOf<Type extends CommandType> = {
  readonly type: Type;
} & CommandMap[Type]["fields"];
export type ResultOf<Type extends CommandType> = CommandMap[Type]["result"];
export type Command = { [Type in CommandType]: CommandOf<Type> }[CommandType];

/** One handler for each command of an area: a missing one does not compile. */
export type HandlersOf<Area> = {
  readonly [Type in keyof Area & CommandType]: (
    command: CommandOf<Type>,
  ) => Promise<ResultOf<Type>>;
};

export type Handlers = HandlersOf<CommandMap>;
