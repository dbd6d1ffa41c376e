/** From a command line to what the engine boots with, the same for every front end. */

import type { BootOptions } from "@omp/engine/boot";
import { messageOf, UserError } from "@omp/std";
import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Surroundings } from "./cli/command.ts";
import type { Invocation } from "./cli/invocation.ts";
import { demoProvider } from "./demo/provider.ts";
import { version } from "./version.ts";

export function bootOptions(
  invocation: Invocation,
  { cwd, startedIn, home, environment, timing }: Surroundings,
  ui: BootOptions["ui"],
): BootOptions {
  return {
    cwd,
    home,
    environment,
    ui,
    session: sessionChoice(invocation, startedIn),
    ...(invocation.isTitleless && { givesTitles: false }),
    sessionFolder: invocation.sessionDir && resolve(startedIn, invocation.sessionDir),
    additionalDirectories: invocation.addedFolders.map((path) =>
      folderAt(resolve(startedIn, path)),
    ),
    model: {
      model: invocation.model,
      provider: invocation.provider,
      models: invocation.models,
      roles: invocation.roles,
      thinking: invocation.thinking,
    },
    apiKey: invocation.apiKey,
    trustsProject: invocation.isTrusting,
    version,
    maxCost: invocation.maxCost,
    tools: invocation.tools,
    settings: invocation.settings,
    configFiles: invocation.configFiles.map((path) => resolve(startedIn, path)),
    isConfigStrict: invocation.isConfigStrict,
    timed: (phase, work) => timing.span(phase, work),
    systemPrompt: textOrFile(invocation.systemPrompt, startedIn, home),
    appendSystemPrompt: textOrFile(invocation.appendSystemPrompt, startedIn, home),
    extraProviders: [demoProvider],
  };
}

function folderAt(path: string): string {
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  throw new UserError("file-not-found", `--add-dir: No such folder: ${path}`);
}

/** Of several wishes the most special counts; without storage there is nothing to go on with. */
function sessionChoice(invocation: Invocation, startedIn: string): BootOptions["session"] {
  const { fork, resume, isInMemory, isContinue } = invocation;
  if (fork !== undefined && isInMemory) {
    throw new UserError("session", "--fork requires session persistence");
  }
  if (isInMemory) return { kind: "in-memory" };
  if (fork !== undefined) return { kind: "fork", value: placed(fork, startedIn) };
  if (resume === "") {
    throw new UserError(
      "bad-input",
      "--resume needs an id or a path here: omp sessions list shows them.",
    );
  }
  if (resume !== undefined) return { kind: "resume", value: placed(resume, startedIn) };
  return { kind: isContinue ? "continue" : "new" };
}

/** A path counts from where omp was started, also when it works elsewhere. */
function placed(session: string, startedIn: string): string {
  const path = resolve(startedIn, session);
  const isPath = /[/\\]/.test(session) || (session.endsWith(".jsonl") && existsSync(path));
  return isPath ? path : session;
}

/** The content of the file of that name, if there is one; else the text itself. */
function textOrFile(value: string | undefined, cwd: string, home: string): string | undefined {
  if (value === undefined || value === "" || value.includes("\n")) return value;
  const path = resolve(cwd, value.replace(/^~(?=\/)/, home));
  // What has this name is meant, also where it cannot be read.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return value;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UserError("bad-input", `Cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}
