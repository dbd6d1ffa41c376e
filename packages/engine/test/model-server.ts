/** Model servers on real sockets, and the rooms of models and keys as the engine puts them together. */

import { providers as builtIn, stream } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import { createProcesses } from "@omp/host";
import { systemClock, type Clock } from "@omp/std";
import type { Workspace } from "@omp/testkit";
import { composeModels, type ComposedModels } from "../src/compose-models.ts";
import { pathsOf } from "../src/paths.ts";
import type { ProviderSettings } from "../src/settings/schema/providers.ts";
import type { ScopedList } from "../src/settings/schema/scoped-list.ts";

export interface Seen {
  /** `GET /v1/models` */
  readonly line: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  /** The requests without their repetitions, in order of the alphabet. */
  readonly lines: readonly string[];
}

/** What is answered to `METHOD /path`: an object as JSON, or what a function makes. Anything else is 404. */
export type Routes = Readonly<
  Record<string, object | ((body: string) => Response | Promise<Response>)>
>;

export function modelServer(routes: Routes): ModelServer {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const line = `${request.method} ${new URL(request.url).pathname}`;
      const body = await request.text();
      seen.push({ line, headers: request.headers, body });
      const route = routes[line];
      if (route === undefined) return new Response("no such page", { status: 404 });
      return typeof route === "function" ? route(body) : Response.json(route);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port!,
    seen,
    get lines() {
      return [...new Set(seen.map(({ line }) => line))].sort();
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

export function ollama(names: readonly string[], details: object = {}): Routes {
  return {
    "GET /api/tags": { models: names.map((name) => ({ name, model: name })) },
    "POST /api/show": details,
  };
}

export interface ModelsOptions {
  /** The text of models.yml. */
  readonly yaml?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly disabledProviders?: ScopedList;
  readonly modelProviderOrder?: readonly string[];
  readonly settings?: Partial<ProviderSettings>;
  readonly cwd?: string;
}

/** Servers of the machine the tests run on are none of their business: nobody listens on port 9. */
const NOBODY = {
  OLLAMA_BASE_URL: "http://127.0.0.1:9",
  LLAMA_CPP_BASE_URL: "http://127.0.0.1:9",
  LM_STUDIO_BASE_URL: "http://127.0.0.1:9/v1",
};

export interface Models extends ComposedModels, AsyncDisposable {
  /** `provider/id` of what can be called. */
  selectors(): Promise<readonly string[]>;
  model(selector: string): Promise<Model>;
  /** One turn of this model, with its key. */
  ask(selector: string): Promise<void>;
}

export async function models(place: Workspace, options: ModelsOptions = {}): Promise<Models> {
  if (options.yaml !== undefined) {
    await place.write("../home/.omp/agent/models.yml", options.yaml);
  }
  const environment = { PATH: process.env["PATH"], ...NOBODY, ...options.env };
  const clock = options.clock ?? systemClock;
  const processes = createProcesses({ clock });
  const rooms = await composeModels({
    cwd: options.cwd ?? place.path,
    environment,
    paths: pathsOf(environment, place.home),
    settings: {
      disabledProviders: options.disabledProviders ?? [],
      modelProviderOrder: [...(options.modelProviderOrder ?? [])],
      openrouterVariant: "",
      kimiApiFormat: "anthropic",
      ...options.settings,
    },
    builtIn,
    loadProcesses: () => Promise.resolve(processes),
    clock,
    fetch,
    apiKey: undefined,
  });
  const { registry, vault } = rooms;
  const model = async (selector: string): Promise<Model> => {
    const slash = selector.indexOf("/");
    const list = await registry.modelsOf(selector.slice(0, slash));
    return list.find(({ id }) => id === selector.slice(slash + 1))!;
  };
  return {
    ...rooms,
    model,
    selectors: async () =>
      (await registry.available()).map(({ provider, id }) => `${provider}/${id}`),
    async ask(selector) {
      const chosen = await model(selector);
      const provider = registry.providers.find(({ id }) => id === chosen.provider)!;
      const apiKey = await vault.keyFor(provider);
      const request = {
        model: chosen,
        systemPrompt: "Be brief.",
        messages: [{ role: "user", content: "Hello", timestamp: 0 } as const],
        tools: [],
      };
      const signal = new AbortController().signal;
      await stream(request, { apiKey, clock: systemClock, signal }).result;
    },
    async [Symbol.asyncDispose]() {
      await registry.close();
      await processes[Symbol.asyncDispose]();
    },
  };
}
