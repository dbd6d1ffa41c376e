/** Runs a command and tells the model how it ended. */

import { textOutput, ToolFailure, type ToolOutput, type ToolRun } from "@omp/agent";
import { spillInto, type Files, type ShellResult } from "@omp/host";
import { orFailure, orMissing } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import { cutDetails, cutNotice } from "./cut.ts";

interface BashInput {
  command: string;
  timeout?: number;
  cwd?: string;
  env?: Record<string, string>;
}

const DEFAULT_SECONDS = 300;
const MIN_SECONDS = 1;
const MAX_SECONDS = 3600;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const run: ToolRun<BashInput, Pick<Hosts, "artifacts" | "files" | "shell">> = async (
  { command, timeout = DEFAULT_SECONDS, cwd, env },
  call,
  { artifacts, files, shell },
) => {
  checkNames(env);
  const folder = cwd === undefined ? call.cwd : await orFailure(folderOf(cwd, call.cwd, files));
  const longest = Math.min(MAX_SECONDS, shell.maxTimeoutMs / 1000);
  const seconds = Math.min(longest, Math.max(MIN_SECONDS, timeout));
  const result = await orFailure(
    shell.run(command, {
      cwd: folder,
      signal: call.signal,
      timeoutMs: seconds * 1000,
      ...(env ? { env } : {}),
      openSpill: spillInto(artifacts, "bash"),
      onOutput: (newest) => call.report(textOutput(newest)),
    }),
  );
  return outputOf(result, seconds);
};

function checkNames(env: Record<string, string> = {}): void {
  const wrong = Object.keys(env).find((name) => !VARIABLE_NAME.test(name));
  if (wrong === undefined) return;
  throw new ToolFailure(`Invalid environment variable name: ${JSON.stringify(wrong)}`);
}

async function folderOf(cwd: string, base: string, files: Files): Promise<string> {
  const folder = files.resolve(cwd, base);
  const stat = await orMissing(files.stat(folder));
  if (!stat) throw new ToolFailure(`Working directory does not exist: ${folder}`);
  if (stat.kind === "directory") return folder;
  throw new ToolFailure(`Working directory is not a directory: ${folder}`);
}

function outputOf({ output, end }: ShellResult, seconds: number): ToolOutput {
  const notice = cutNotice(output);
  const shown = (output.output.replace(/\n+$/, "") || "(no output)") + notice;
  const truncation = cutDetails(output);
  switch (end.kind) {
    case "exited": {
      const details = { exitCode: end.code, ...truncation };
      const note = end.leftoversKilled ? `\n\n${LEFTOVERS}` : "";
      if (end.code === 0) return textOutput(shown + note, details);
      throw new ToolFailure(`${shown}${note}\n\nCommand exited with code ${end.code}`, details);
    }
    case "signalled":
      throw new ToolFailure(`${shown}\n\nCommand was ended by ${end.signal}`, truncation);
    case "deadline": {
      const details = { timedOut: true, ...truncation };
      throw new ToolFailure(`${shown}\n\nCommand timed out after ${seconds} seconds`, details);
    }
    case "aborted":
      throw new ToolFailure(`${shown}\n\nCommand aborted`, { cancelled: true, ...truncation });
  }
}

const LEFTOVERS =
  "[Background processes still held the output and were stopped. Redirect their output to keep them running.]";
