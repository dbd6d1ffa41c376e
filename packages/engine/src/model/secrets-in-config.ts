/** Keys and headers of models.yml that are not written there: `!command`, or the name of a variable. */

import type { Processes } from "@omp/host";
import { ignore, log } from "@omp/std";
import type { Environment } from "../paths.ts";

export interface SecretResolver {
  /** `!command`, the name of a variable, or the key itself. Undefined where the command gave nothing. */
  key(text: string): Promise<string | undefined>;
  /** `!command`, or the value itself. Headers whose command gave nothing are left out. */
  headers(texts: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
}

/** @returns what a command printed; undefined when it failed or took too long */
export type CommandRunner = (command: string) => Promise<string | undefined>;

/** A command runs once however many ask; one that failed is tried again when it is asked for again. */
export function createSecretResolver(environment: Environment, run: CommandRunner): SecretResolver {
  const results = new Map<string, Promise<string | undefined>>();
  const outputOf = (command: string): Promise<string | undefined> => {
    const known = results.get(command);
    if (known) return known;
    const result = run(command).then((output) => {
      const value = output?.trim();
      if (!value) results.delete(command);
      else log.addSecret(value);
      return value || undefined;
    });
    results.set(command, result);
    return result;
  };
  const resolve = async (text: string) => (text.startsWith("!") ? outputOf(text.slice(1)) : text);
  return {
    // A command stays one even if a variable has its text for a name; what a variable holds is never a command.
    key: (text) => Promise.resolve((!text.startsWith("!") && environment[text]) || resolve(text)),
    async headers(texts) {
      const entries = await Promise.all(
        Object.entries(texts).map(async ([name, text]) => [name, await resolve(text)] as const),
      );
      return Object.fromEntries(
        entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
    },
  };
}

const LIMIT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** Runs a command of the person's own configuration: with their whole environment, standard output only. */
export function createCommandRunner(deps: {
  readonly processes: Processes;
  readonly environment: Environment;
  readonly cwd: string;
  readonly shellPath?: string;
}): CommandRunner {
  const { processes, cwd, shellPath = "/bin/sh" } = deps;
  const env = Object.fromEntries(
    Object.entries(deps.environment).filter((entry): entry is [string, string] => !!entry[1]),
  );
  return async (command) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      const child = processes.spawn({
        command: [shellPath, "-c", command],
        cwd,
        env,
        owner: "secret-in-config",
        deadlineMs: LIMIT_MS,
        onStdout(bytes) {
          size += bytes.length;
          if (size <= MAX_BYTES) chunks.push(bytes);
        },
      });
      const end = await child.ended;
      if (end.kind === "exited" && end.code === 0 && size <= MAX_BYTES) {
        return Buffer.concat(chunks).toString("utf8");
      }
      log.warn("secret-command-failed", { end: end.kind });
    } catch (error) {
      ignore(error, "a key or header whose command cannot be started is left out");
    }
    return undefined;
  };
}
