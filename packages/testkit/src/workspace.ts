/** A throw-away project folder with an empty home of its own. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { cleanEnvironment } from "./environment.ts";

export interface WorkspaceOptions {
  /** Make it a repository on branch `main`, with the files in a first commit. */
  readonly git?: boolean;
  /** Contents by path below the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export interface Workspace extends AsyncDisposable {
  readonly path: string;
  /** An empty folder to use as HOME. */
  readonly home: string;
  /** Makes the folders on the way. @returns the absolute path */
  write(file: string, content: string | Uint8Array): Promise<string>;
  read(file: string): Promise<string>;
  exists(file: string): boolean;
  /** Standard output of git, without the last line break. Rejects when git fails. */
  git(...args: readonly string[]): Promise<string>;
}

/** Everything that would make a commit id differ between two runs. */
const FIXED_GIT: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test Author",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Test Author",
  GIT_COMMITTER_EMAIL: "author@example.com",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

export async function workspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  // The real path, because programs report that one where the temporary folder is a link.
  const root = await realpath(await mkdtemp(join(tmpdir(), "omp-test-")));
  const path = join(root, "project");
  const home = join(root, "home");
  await Promise.all([mkdir(path), mkdir(home)]);
  const made: Workspace = {
    path,
    home,
    async write(file, content) {
      const target = resolve(path, file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
      return target;
    },
    read: (file) => readFile(resolve(path, file), "utf8"),
    exists: (file) => existsSync(resolve(path, file)),
    git: (...args) => runGit(args, path, home),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  for (const [file, content] of Object.entries(options.files ?? {}))
    await made.write(file, content);
  if (options.git) await makeRepository(made);
  return made;
}

async function makeRepository({ git }: Workspace): Promise<void> {
  await git("init", "--quiet", "--initial-branch=main");
  // Programs under test run git themselves, without our environment.
  await git("config", "user.name", "Test Author");
  await git("config", "user.email", "author@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--allow-empty", "--message=first");
}

async function runGit(args: readonly string[], cwd: string, home: string): Promise<string> {
  const git = Bun.spawn(["git", ...args], {
    cwd,
    env: cleanEnvironment(home, FIXED_GIT),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    git.stdout.text(),
    git.stderr.text(),
    git.exited,
  ]);
  if (exitCode !== 0)
    throw new Error(`git ${args.join(" ")} ended with ${exitCode}: ${stderr.trim()}`);
  return stdout.replace(/\n$/, "");
}
