/** The engine in this process, in a throw-away home, against a scripted model on a real socket. */

import type { UiNotice, UiPort } from "@omp/agent";
import type { Provider } from "@omp/ai";
import {
  cleanEnvironment,
  readJsonl,
  scriptedModel,
  sessionFiles,
  workspace,
  type ScriptedModel,
  type ScriptedModelOptions,
  type TurnSource,
  type Workspace,
} from "@omp/testkit";
import { boot, type BootOptions } from "../src/boot.ts";
import type { Engine, EngineEvent, PromptResult } from "../src/protocol/index.ts";
import { vendor } from "./shelf.ts";

export interface Stage extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly place: Workspace;
  /** Told to the person outside of runs. */
  readonly notices: readonly UiNotice[];
  boot(options?: StageOptions): Promise<BootedEngine>;
  /** Lines of all session files, in order. */
  entries(): Promise<readonly Entry[]>;
}

export interface BootedEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly events: readonly EngineEvent[];
  prompt(text: string, files?: readonly string[]): Promise<PromptResult>;
}

export interface Entry {
  readonly type: string;
  readonly id?: string;
  readonly [field: string]: unknown;
}

export type StageOptions = Partial<BootOptions> & {
  /** Variables besides those of the scripted model; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The text of config.yml. */
  readonly config?: string;
};

/** Waits are short unless a test is about them. */
const QUICK = "retry: { baseDelayMs: 1 }\n";

export async function stage(
  turns: readonly TurnSource[],
  options: ScriptedModelOptions = {},
): Promise<Stage> {
  const model = await scriptedModel(turns, options);
  const place = await workspace();
  const notices: UiNotice[] = [];
  const ui: UiPort = {
    absentBecause: "nobody is there in a test.",
    request: () => Promise.resolve(undefined),
    tell: (notice) => void notices.push(notice),
  };
  return {
    model,
    place,
    notices,
    async boot({ env, config = QUICK, ...options } = {}) {
      await place.write("../home/.omp/agent/config.yml", config);
      const engine = await boot({
        cwd: place.path,
        home: place.home,
        environment: cleanEnvironment(place.home, {
          ...model.environment(),
          HOUSE_URL: `${model.url}/v1`,
          HOUSE_KEY: "test-house-key-0001",
          ...env,
        }),
        ui,
        session: { kind: "new" },
        settings: { "tools.approvalMode": "yolo" },
        ...options,
      });
      const events: EngineEvent[] = [];
      // Partial messages are live objects; what a test looks at later must be a copy.
      engine.subscribe((event) => void events.push(structuredClone(event)));
      return {
        engine,
        events,
        prompt: (text, files = []) => engine.dispatch({ type: "prompt", text, files }),
        [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
      };
    },
    async entries() {
      const files = await sessionFiles(place.home);
      return (await Promise.all(files.map(readJsonl))).flat() as Entry[];
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** A provider of Chat Completions that finds the scripted model. */
export function house(...models: Parameters<typeof vendor>[1]): Provider {
  return vendor("house", models, { baseUrlEnv: "HOUSE_URL" });
}

/** The events of the retry policy, without those that tell of messages. */
export function retryEvents(events: readonly EngineEvent[]) {
  return events.filter(({ type }) => type.startsWith("auto_retry"));
}

/** What the nth request said, as JSON text. */
export function sent(model: ScriptedModel, request: number): string {
  return JSON.stringify(model.requests[request]!.body);
}
