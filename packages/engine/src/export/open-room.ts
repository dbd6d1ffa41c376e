/** Builds this room out of what boot has. */

import type { UiPort } from "@omp/agent";
import { childEnvironment, type Files, type Processes } from "@omp/host";
import type { SessionLog } from "@omp/session";
import { createRedactor, log, type Clock, type Random } from "@omp/std";
import type { Environment, Paths } from "../paths.ts";
import type { HandlersOf } from "../protocol/command.ts";
import type { ExportCommands } from "../protocol/commands/export.ts";
import type { Snapshot } from "../protocol/snapshot.ts";
import { createExportHandlers } from "./handlers.ts";
import { createOpener } from "./opener.ts";
import type { ExportTheme } from "./theme.ts";

/** What a front end may ask for. */
export interface ExportWishes {
  /** Exported pages and shared addresses are shown in a browser. No unless a front end says so. */
  readonly opensBrowser?: boolean;
  /** The colours that exported pages take over. */
  readonly exportTheme?: () => ExportTheme | undefined;
}

export interface ExportRoomParts {
  readonly conversation: { readonly log: SessionLog };
  readonly workplace: { readonly cwd: string };
  readonly paths: Paths;
  readonly environment: Environment;
  readonly files: Files;
  readonly processes: Processes;
  readonly ui: UiPort;
  readonly doors: { readonly clock: Clock; readonly random: Random };
  readonly closing: AbortSignal;
  readonly wishes: ExportWishes;
  snapshot(): Snapshot;
  isSecretName(name: string): boolean;
}

export function openExportRoom(parts: ExportRoomParts): HandlersOf<ExportCommands> {
  const { workplace, paths, environment, processes, isSecretName, wishes } = parts;
  // The same variables may be a key of a model provider; `gh` is the program they are made for.
  const withhold = (name: string) => isSecretName(name) && !/^G(?:H|ITHUB)_/.test(name);
  const env = childEnvironment(environment, { withhold });
  const { platform } = process;
  return createExportHandlers({
    ...parts,
    ...parts.doors,
    get cwd() {
      return workplace.cwd;
    },
    env,
    agentDir: paths.agent,
    tempDir: paths.temp,
    redactText: redactorOf(environment, isSecretName),
    theme: wishes.exportTheme ?? (() => undefined),
    opener: wishes.opensBrowser
      ? createOpener({ processes, cwd: paths.home, env, platform })
      : undefined,
  });
}

/** Names that tell of a secret, as people give them. */
const SECRET_NAME = /(?:^|_)(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Knows what the log must not say, and the values of every variable that is named like a secret. */
function redactorOf(environment: Environment, isSecretName: (name: string) => boolean) {
  const redactor = createRedactor();
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (isSecretName(name) || SECRET_NAME.test(name)))
      redactor.addSecret(value);
  }
  return (text: string) => log.redactText(redactor.redactText(text));
}
