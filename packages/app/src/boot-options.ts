/** From a command line to what the engine boots with, the same for every front end. */

import type { BootOptions } from "@omp/engine/boot";
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Surroundings } from "./cli/command.ts";
import type { Invocation } from "./cli/invocation.ts";
import { demoProvider } from "./demo/provider.ts";

export function bootOptions(
  invocation: Invocation,
  { cwd, startedIn, home, environment, timing }: Surroundings,
  ui: BootOptions["ui"],
): BootOptions {
  const { isInMemory, isContinue } = invocation;
  return {
    cwd,
    home,
    environment,
    ui,
    session: { kind: isInMemory ? "in-memory" : isContinue ? "continue" : "new" },
    sessionFolder: invocation.sessionDir && resolve(startedIn, invocation.sessionDir),
    model: {
      model: invocation.model,
      provider: invocation.provider,
      models: invocation.models,
      roles: invocation.roles,
      thinking: invocation.thinking,
    },
    apiKey: invocation.apiKey,
    tools: invocation.tools,
    settings: invocation.settings,
    configFiles: invocation.configFiles.map((path) => resolve(startedIn, path)),
    timed: (phase, work) => timing.span(phase, work),
    systemPrompt: textOrFile(invocation.systemPrompt, startedIn),
    appendSystemPrompt: textOrFile(invocation.appendSystemPrompt, startedIn),
    extraProviders: [demoProvider],
  };
}

/** The content of the file of that name, if there is one; else the text itself. */
function textOrFile(value: string | undefined, cwd: string): string | undefined {
  if (value === undefined || value === "" || value.includes("\n")) return value;
  const path = resolve(cwd, value);
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : value;
}
