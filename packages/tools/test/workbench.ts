/** A temp folder with real hosts, and a way to call a tool there as the agent does. */

import { ToolFailure, type Artifacts, type Resource, type Tool, type ToolOutput } from "@omp/agent";
import { childEnvironment, createFiles, createProcesses, createShell } from "@omp/host";
import { systemClock, type Clock } from "@omp/std";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Value } from "typebox/value";
import type { Hosts } from "../src/index.ts";

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
  readonly content: ToolOutput["content"];
  readonly reports: readonly ToolOutput[];
}

export interface Workbench extends AsyncDisposable {
  readonly cwd: string;
  /** Where artifacts go. A test may put something in its way, or take it away. */
  readonly artifacts: string;
  /** What internal URLs stand for; a test fills it. */
  readonly resources: Map<string, Resource>;
  readonly home: string;
  /** Writes a file below the folder and gives its path. */
  file(name: string, content: string | Uint8Array): string;
  call(tool: Tool<Hosts>, input: unknown, signal?: AbortSignal): Promise<CallResult>;
}

export function createWorkbench({ clock = systemClock }: { clock?: Clock } = {}): Workbench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "omp-tools-")));
  const [cwd, home, artifacts] = [join(root, "work"), join(root, "home"), join(root, "artifacts")];
  for (const folder of [cwd, home, artifacts]) mkdirSync(folder);
  const resources = new Map<string, Resource>();
  const processes = createProcesses({ clock });
  const environment = childEnvironment(process.env, { withhold: () => false });
  const hosts: Hosts = {
    files: createFiles({ home }),
    shell: createShell({ processes, environment }),
    artifacts: numberedFiles(artifacts),
    resources: {
      isInternal: (url) => url.startsWith("artifact://"),
      async find(url) {
        const resource = resources.get(url);
        if (!resource) throw new ToolFailure(`Nothing is at ${url}`);
        return resource;
      },
      writable: (url) => Promise.reject(new ToolFailure(`${url} cannot be written`)),
    },
  };

  return {
    cwd,
    home,
    artifacts,
    resources,
    file(name, content) {
      const path = join(cwd, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    async call(tool, input, signal = new AbortController().signal) {
      if (!Value.Check(tool.input, input)) throw new Error("the input does not fit the schema");
      const reports: ToolOutput[] = [];
      const report = (partial: ToolOutput) => void reports.push(partial);
      const execute = await tool.load();
      try {
        const output = await execute(input, { id: "call-1", cwd, signal, report }, hosts);
        const { content, details } = output;
        return { text: textOf(output), isError: false, details, content, reports };
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        const { message: text, details } = error;
        return { text, isError: true, details, content: [], reports };
      }
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
}

function numberedFiles(folder: string): Artifacts {
  let count = 0;
  return {
    reserve(toolType) {
      const id = String(count++);
      return Promise.resolve({ id, path: join(folder, `${id}.${toolType}.log`) });
    },
    keep: () => undefined,
  };
}

function textOf({ content }: ToolOutput): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
