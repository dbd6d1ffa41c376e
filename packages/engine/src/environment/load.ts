/**
 * The variables of a run: those of the process, then files that fill what is not set yet: `.env` of the
 * working directory where it is trusted, of the agent's folder, of the configuration folder, of the home.
 */

import { join } from "node:path";
import type { Environment, Paths } from "../paths.ts";
import { dangerOfName, isSecretVariable } from "./names.ts";
import { parseEnvironment } from "./parse.ts";
import { readSmallFile } from "./small-file.ts";

export interface LoadEnvironmentOptions {
  /** Of the process. */
  readonly environment: Environment;
  readonly cwd: string;
  readonly paths: Pick<Paths, "home" | "root" | "agent">;
  /** Asked only where the working directory has such a file. */
  isFolderTrusted(): Promise<boolean>;
  /** Hears of every value that is a secret by its name. */
  onSecret(value: string): void;
}

export interface LoadedEnvironment {
  readonly environment: Environment;
  /** Whether the value comes from the repository: no child process gets it. */
  isFromProject(name: string): boolean;
  /** For the person: file, line, and what was not used. */
  readonly problems: readonly string[];
}

/** These say where the files are, so no file can say them. */
const PLACES: readonly string[] = ["PI_CONFIG_DIR", "PI_CODING_AGENT_DIR"];

export async function loadEnvironment(options: LoadEnvironmentOptions): Promise<LoadedEnvironment> {
  const { cwd, paths } = options;
  // A copy, because each look into the process's own environment is a call into the system.
  const environment: Record<string, string | undefined> = { ...options.environment };
  const own = [join(paths.agent, ".env"), join(paths.root, ".env"), join(paths.home, ".env")];
  const project = join(cwd, ".env");
  const fromProject = new Set<string>();
  const problems: string[] = [];
  for (const file of own.includes(project) ? own : [project, ...own]) {
    const isProject = file === project && !own.includes(project);
    const text = readSmallFile(file, (why) => problems.push(`${file}: ${why}`));
    if (text === undefined || (isProject && !(await options.isFolderTrusted()))) continue;
    const parsed = parseEnvironment(text);
    const refused: string[] = [];
    problems.push(...parsed.problems.map(({ line, message }) => `${file}:${line}: ${message}`));
    for (const [name, value] of parsed.values) {
      if (PLACES.includes(name) || isSet(environment[name])) continue;
      if (isProject && dangerOfName(name)) {
        refused.push(name);
        continue;
      }
      environment[name] = value;
      if (isProject) fromProject.add(name);
    }
    problems.push(...refusalOf(file, refused));
  }
  for (const [name, value] of Object.entries(environment)) {
    if (value && isSecretVariable(name)) options.onSecret(value);
  }
  return { environment, isFromProject: (name) => fromProject.has(name), problems };
}

/** Empty counts as set: that is how a person switches off what a file says. */
function isSet(value: string | undefined): boolean {
  return value !== undefined;
}

/** Names that a person would expect omp to obey; a repository's other variables are not our business. */
const OURS =
  /^(?:PI|OMP|CLAUDE|ANTHROPIC|OPENAI|AZURE_OPENAI|FOUNDRY|OLLAMA|LLAMA_CPP|LM_STUDIO|VLLM|KIMI|AWS|GOOGLE)_|_PROXY$/i;

function refusalOf(file: string, names: readonly string[]): readonly string[] {
  const ours = names.filter((name) => OURS.test(name));
  if (ours.length === 0) return [];
  return [
    `${file}: not used: ${ours.join(", ")}. Where omp connects, what it executes and whom it trusts is not for a repository to say: set it in your own environment.`,
  ];
}
