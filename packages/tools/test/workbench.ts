/** A temp folder with real hosts, and a way to call a tool there as the agent does. */

import { ToolFailure, type Artifacts, type Resource, type Tool, type ToolOutput } from "@omp/agent";
import {
  childEnvironment,
  createFiles,
  createProcesses,
  createRipgrep,
  createScans,
  createSearch,
  createShell,
  createSources,
  ripgrepProgram,
  type Scans,
} from "@omp/host";
import { imageType, systemClock, type Clock } from "@omp/std";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Value } from "typebox/value";
import {
  createConflicts,
  createNoOps,
  createPages,
  createSnapshots,
  type Editing,
  type Hosts,
  type Pictures,
  type Reading,
  type Snapshots,
} from "../src/index.ts";
import { previewEdit, type EditPreview } from "../src/edit/preview.ts";

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
  readonly content: ToolOutput["content"];
  readonly reports: readonly ToolOutput[];
  readonly useless?: true;
}

export interface Workbench extends AsyncDisposable {
  readonly cwd: string;
  /** Where artifacts go. A test may put something in its way, or take it away. */
  readonly artifacts: string;
  /** What internal URLs stand for; a test fills it. */
  readonly resources: Map<string, Resource>;
  readonly home: string;
  readonly scans: Scans;
  /** What the settings say; a test may replace it. */
  editing: Editing;
  reading: Reading;
  /** Whether the model sees pictures. */
  modelSees: boolean;
  snapshots: Snapshots;
  /** Writes a file below the folder and gives its path. */
  file(name: string, content: string | Uint8Array): string;
  call(tool: Tool<Hosts>, input: unknown, signal?: AbortSignal): Promise<CallResult>;
  /** What an unfinished edit would change. */
  preview(input: string): Promise<readonly EditPreview[]>;
}

export interface WorkbenchOptions {
  readonly clock?: Clock;
  /** Lines that a search shows around a match. */
  readonly around?: { readonly before: number; readonly after: number };
}

export function createWorkbench({
  clock = systemClock,
  around = { before: 1, after: 3 },
}: WorkbenchOptions = {}): Workbench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "omp-tools-")));
  const [cwd, home, artifacts] = [join(root, "work"), join(root, "home"), join(root, "artifacts")];
  for (const folder of [cwd, home, artifacts]) mkdirSync(folder);
  const resources = new Map<string, Resource>();
  const processes = createProcesses({ clock });
  const environment = childEnvironment(process.env, { withhold: () => false });
  const scans = createScans({ clock, git: { home }, environment: {} });
  const program = ripgrepProgram({ folder: join(root, "cache") });
  const hosts: Hosts = {
    scans,
    search: createSearch(
      createRipgrep({ processes, environment: { HOME: home }, program }),
      around,
    ),
    files: createFiles({ home, afterChange: (path) => scans.forget(path) }),
    shell: createShell({ processes, environment, afterRun: () => scans.forget() }),
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
    sources: createSources({ processes, clock, privateHosts: ["*"] }),
    conflicts: createConflicts(),
    pictures: asTheyAre(() => bench.modelSees),
    get reading() {
      return bench.reading;
    },
    get editing() {
      return bench.editing;
    },
    get snapshots() {
      return bench.snapshots;
    },
  };

  const bench: Workbench = {
    editing: { ...ANCHORED, noOps: createNoOps() },
    reading: { ...READING, pages: createPages() },
    modelSees: true,
    snapshots: createSnapshots(),
    cwd,
    home,
    scans,
    artifacts,
    resources,
    file(name, content) {
      const path = join(cwd, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    async call(tool, input, signal = new AbortController().signal) {
      const accepted = tool.accept?.(input) ?? input;
      if (!Value.Check(tool.input, accepted)) throw new Error("the input does not fit the schema");
      const reports: ToolOutput[] = [];
      const report = (partial: ToolOutput) => void reports.push(partial);
      const execute = await tool.load();
      try {
        const output = await execute(accepted, { id: "call-1", cwd, signal, report }, hosts);
        return { details: undefined, ...output, text: textOf(output), isError: false, reports };
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        const { message: text, details } = error;
        return { text, isError: true, details, content: [], reports };
      }
    },
    preview(input) {
      const { signal } = new AbortController();
      return previewEdit(input, { id: "call-1", cwd, signal, report() {} }, hosts);
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
  return bench;
}

/** Reads as they are unless somebody says otherwise, but without summaries. */
export const READING: Omit<Reading, "pages"> = {
  defaultLimit: 300,
  lineNumbers: false,
  maxColumns: 768,
  allowsUrls: true,
  summarize: { enabled: false, prose: false, minTotalLines: 100 },
};

/** Edits as they are unless somebody says otherwise. */
export const ANCHORED: Omit<Editing, "noOps"> = {
  mode: "hashline",
  showsAnchors: true,
  fuzzyMatch: true,
  fuzzyThreshold: 0.95,
  hashlineAutoDropPureInsertDuplicates: false,
  blockAutoGenerated: true,
  payloadSign: "~",
};

/** Pictures without the room that makes them fit: the engine has it. */
function asTheyAre(modelSees: () => boolean): Pictures {
  const size = { width: 1, height: 1 };
  const mimeTypeOf = (bytes: Uint8Array) => imageType(bytes) ?? "image/unknown";
  return {
    maxBytes: 20 * 1024 * 1024,
    areSeen: modelSees,
    isPicture: (head) => Promise.resolve(imageType(head) !== undefined),
    show: async (_name, bytes) => {
      const image = { type: "image", data: bytes.toBase64(), mimeType: mimeTypeOf(bytes) } as const;
      return { image, original: size, shown: size };
    },
    describe: async (_name, bytes) => {
      return { ...size, mimeType: mimeTypeOf(bytes), channels: 4, hasAlpha: true };
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
