/** What a key or header in a configuration file stands for: a command's output, a variable's value, or itself. */

import type { Processes } from "@omp/host";
import { ignore, log } from "@omp/std";
import type { Environment } from "../paths.ts";

export interface SecretValues {
  /** Undefined where a command failed, took too long or said nothing. */
  resolve(text: string): Promise<string | undefined>;
}

export interface SecretValuesDeps {
  readonly environment: Environment;
  readonly processes: Processes;
  readonly cwd: string;
}

const COMMAND_LIMIT_MS = 10_000;

/** A command that succeeded is run once, however many models use it; one that failed is tried again. */
export function createSecretValues(deps: SecretValuesDeps): SecretValues {
  const running = new Map<string, Promise<string | undefined>>();
  return {
    async resolve(text) {
      if (!text.startsWith("!")) return deps.environment[text] || text;
      const known = running.get(text) ?? outputOf(text.slice(1), deps);
      running.set(text, known);
      const value = await known;
      if (value === undefined) running.delete(text);
      return value;
    },
  };
}

async function outputOf(command: string, deps: SecretValuesDeps): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    const child = deps.processes.spawn({
      command: ["/bin/sh", "-c", command],
      cwd: deps.cwd,
      env: definedIn(deps.environment),
      owner: "secret",
      deadlineMs: COMMAND_LIMIT_MS,
      onStdout: (bytes) => void chunks.push(bytes.slice()),
    });
    const end = await child.ended;
    const output = Buffer.concat(chunks).toString("utf8").trim();
    if (end.kind === "exited" && end.code === 0 && output !== "") return output;
    log.warn("secret-command-failed", { end: end.kind, isEmpty: output === "" });
  } catch (error) {
    ignore(error, "a secret that cannot be had is left out");
  }
  return undefined;
}

function definedIn(environment: Environment): Record<string, string> {
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}
