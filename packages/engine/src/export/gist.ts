/** Shares a page as a secret gist of the person's own GitHub account, by their `gh`. */

import { HostError, type ProcessEnd, type Processes } from "@omp/host";
import { UserError } from "@omp/std";
import type { ShareResult } from "../protocol/commands/export.ts";

export interface GistDeps {
  readonly processes: Pick<Processes, "spawn">;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What goes on, for the person. */
  tell(text: string): void;
}

const STATUS_DEADLINE_MS = 30_000;
const UPLOAD_DEADLINE_MS = 300_000;

/** @returns also when it was aborted: then with the address of a gist that was made in spite of it */
export async function createGist(
  htmlPath: string,
  deps: GistDeps,
  signal: AbortSignal,
): Promise<ShareResult> {
  const status = await gh(["auth", "status"], STATUS_DEADLINE_MS, deps, signal);
  if (signal.aborted) return cancelled(undefined);
  if (!isFine(status.end)) {
    throw new UserError("no-key", "GitHub CLI is not logged in. Run `gh auth login` first.");
  }
  deps.tell("Creating gist...");
  const command = ["gist", "create", "--public=false", htmlPath];
  const { end, stdout, stderr } = await gh(command, UPLOAD_DEADLINE_MS, deps, signal);
  const url = /https:\/\/\S+/.exec(stdout)?.[0];
  if (signal.aborted) return cancelled(url);
  if (!isFine(end) || url === undefined) {
    const reason =
      stderr.trim() || (end.kind === "deadline" ? "it took too long" : "it gave no address");
    throw new UserError("unsupported", `Cannot create a gist: ${reason}`);
  }
  const previewUrl = `https://gistpreview.github.io/?${url.split("/").at(-1)}`;
  return { url, previewUrl, message: `Share URL: ${previewUrl}\nGist: ${url}` };
}

export function cancelled(url: string | undefined): ShareResult {
  if (url === undefined) return { message: "Share cancelled" };
  return { url, message: `Share cancelled. The gist was made already: ${url}` };
}

interface Ended {
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
}

async function gh(
  args: readonly string[],
  deadlineMs: number,
  { processes, cwd, env }: GistDeps,
  signal: AbortSignal,
): Promise<Ended> {
  if (signal.aborted) return { end: { kind: "aborted" }, stdout: "", stderr: "" };
  const [stdout, stderr] = [collector(), collector()];
  const child = startGh(() =>
    processes.spawn({
      command: ["gh", ...args],
      cwd,
      env,
      owner: "share",
      deadlineMs,
      signal,
      onStdout: stdout.add,
      onStderr: stderr.add,
    }),
  );
  const end = await child.ended;
  return { end, stdout: stdout.text(), stderr: stderr.text() };
}

function startGh<Child>(start: () => Child): Child {
  try {
    return start();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const advice = "Install it from https://cli.github.com, or write a share script of your own.";
    throw new UserError("unsupported", `GitHub CLI (gh) cannot be started. ${advice}`, {
      cause: error,
    });
  }
}

function isFine(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code === 0;
}

function collector() {
  const decoder = new TextDecoder();
  let all = "";
  return {
    add: (bytes: Uint8Array) => void (all += decoder.decode(bytes, { stream: true })),
    text: () => all,
  };
}
