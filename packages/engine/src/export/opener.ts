/** Shows a page or an address in the person's browser. A door of its own, because most front ends must keep it shut. */

import type { Processes } from "@omp/host";
import { ignore } from "@omp/std";

export interface Opener {
  /** Never fails: the person was told the address and can open it. */
  open(target: string): void;
}

export interface OpenerDeps {
  readonly processes: Pick<Processes, "spawn">;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/** A browser that starts with the command may stay; the command itself has this long. */
const DEADLINE_MS = 15_000;

export function createOpener({ processes, cwd, env, platform }: OpenerDeps): Opener {
  return {
    open(target) {
      try {
        const command = [...programOf(platform), target];
        const child = processes.spawn({
          command,
          cwd,
          env,
          owner: "opener",
          deadlineMs: DEADLINE_MS,
        });
        child.ended.catch((error) => ignore(error, "the address was shown"));
      } catch (error) {
        ignore(error, "no browser can be opened here; the address was shown");
      }
    },
  };
}

function programOf(platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
