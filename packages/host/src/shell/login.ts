/** What the person's profile adds to the variables of commands. One login shell is asked for it, once. */

import { ignore, log, messageOf } from "@omp/std";
import type { Processes } from "../process/processes.ts";

export interface LoginOptions {
  readonly processes: Processes;
  readonly shellPath: string;
  /** The variables of commands, without the profile. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names that commands must not see, whoever sets them. */
  withhold(name: string): boolean;
}

export type Variables = Readonly<Record<string, string>>;

/** A profile that waits for somebody is not waited for. */
const DEADLINE_MS = 5000;
const MAX_BYTES = 1024 * 1024;
/** What the profile itself prints ends with the first of these. */
const END = "\0";

/** The same variables where the profile cannot be had. */
export async function withLogin(options: LoginOptions): Promise<Variables> {
  const { environment, withhold } = options;
  try {
    const told = await askLoginShell(options);
    return joined(environment, told, withhold);
  } catch (error) {
    log.warn("login-shell-failed", { error: messageOf(error) });
    ignore(error, "commands run without what the profile would add");
    return environment;
  }
}

async function askLoginShell(options: LoginOptions): Promise<Variables> {
  const { processes, shellPath, environment } = options;
  const decoder = new TextDecoder();
  let text = "";
  const child = processes.spawn({
    command: [shellPath, "-l", "-c", "printf '\\0'; exec env -0"],
    // It is always there; the folder of a command may be gone.
    cwd: "/",
    env: environment,
    owner: "login-shell",
    deadlineMs: DEADLINE_MS,
    onStdout(bytes) {
      if (text.length < MAX_BYTES) text += decoder.decode(bytes, { stream: true });
    },
  });
  const end = await child.ended;
  if (end.kind !== "exited" || end.code !== 0) throw new Error(`it ended by ${end.kind}`);
  return variablesIn(text);
}

function variablesIn(text: string): Variables {
  const [, ...lines] = text.split(END);
  const pairs = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf("=");
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
  });
  return Object.fromEntries(pairs);
}

/** They tell of the shell that was asked, not of the profile. */
const OF_THE_SHELL: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);

/**
 * What omp was started with is stronger: it is nearer to the person than a file, and a profile must not
 * bring back the editors and keys that commands are kept from. Pure.
 */
function joined(ours: Variables, told: Variables, withhold: (name: string) => boolean): Variables {
  const added = Object.entries(told).filter(
    ([name]) => !(name in ours) && !OF_THE_SHELL.has(name) && !withhold(name),
  );
  const path = joinedPath(ours["PATH"], told["PATH"]);
  return { ...ours, ...Object.fromEntries(added), ...(path !== undefined && { PATH: path }) };
}

/** A profile that knows all our folders says their order; one that forgets some adds its own behind them. */
function joinedPath(ours: string | undefined, told: string | undefined): string | undefined {
  if (ours === undefined || told === undefined) return told ?? ours;
  const [mine, others] = [ours.split(":"), told.split(":")];
  if (mine.every((folder) => others.includes(folder))) return told;
  return [...mine, ...others.filter((folder) => !mine.includes(folder))].join(":");
}
