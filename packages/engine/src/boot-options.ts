/** What a front end says when it starts an engine. */

import type { Trust, UiPort } from "@omp/agent";
import type { Provider } from "@omp/ai";
import type { Clock, Random } from "@omp/std";
import type { CommandSource } from "./commands/slash-command.ts";
import type { PromptOverrides } from "./context/system-prompt.ts";
import type { ExportWishes } from "./export/open-room.ts";
import type { SessionChoice } from "./open-log.ts";
import type { SettingsOptions } from "./open-settings.ts";
import type { Environment } from "./paths.ts";
import type { HostToolPort, SessionHooks } from "./protocol/index.ts";
import type { ModelWishes } from "./start-model.ts";
import type { TrustWishes } from "./trust/open-door.ts";

export interface BootOptions extends PromptOverrides, ExportWishes, TrustWishes, SettingsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  readonly ui: UiPort;
  readonly session: SessionChoice;
  /** Replaces the folder of this project's sessions. */
  readonly sessionFolder?: string | undefined;
  /** Folders that belong to a new session besides its working directory. */
  readonly additionalDirectories?: readonly string[];
  readonly model?: ModelWishes | undefined;
  readonly apiKey?: string | undefined;
  /** Names of the tools to offer; all when absent. */
  readonly tools?: readonly string[] | undefined;
  readonly extraProviders?: readonly Provider[];
  readonly trust?: Trust;
  /** Runs the tools that come by `set_host_tools`. */
  readonly hostTools?: HostToolPort | undefined;
  /** Sessions get a title from their first prompt, by a request of its own. No unless a front end says so. */
  readonly givesTitles?: boolean | undefined;
  /** Slash commands besides the built-in ones and those of files. */
  readonly commandSources?: readonly CommandSource[];
  /** Measures the phases of the start. */
  readonly timed?: Timed | undefined;
  /** Have a say before the session changes, in this order. */
  readonly hooks?: readonly SessionHooks[];
  /** US dollars that this program may spend on models; undefined is no limit. */
  readonly maxCost?: number | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
}

type Timed = <Value>(phase: string, work: () => Promise<Value>) => Promise<Value>;
