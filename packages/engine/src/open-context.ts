/** What the model is told before the first word, and what else was found, for a person to look at. */

import { systemClock } from "@omp/std";
import { tools } from "@omp/tools";
import { composeContext } from "./compose-context.ts";
import type { PromptOverrides } from "./context/system-prompt.ts";
import { contextFiles } from "./context/context-files.ts";
import type { Discovery } from "./discovery/discovery.ts";
import type { Item, KindId, Warning } from "./discovery/item.ts";
import { kinds } from "./discovery/kinds/registry.ts";
import { lookAtSettings } from "./open-settings.ts";
import { pathsOf, type Environment } from "./paths.ts";

export interface OpenContextOptions extends PromptOverrides {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  /** Settings given on the command line, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly configFiles?: readonly string[];
}

export interface ContextReport {
  /** Estimates: letters by four. */
  readonly tokens: { readonly systemPrompt: number; readonly tools: number };
  readonly rows: readonly ContextRow[];
  readonly warnings: readonly Warning[];
}

export interface ContextRow extends Pick<Item, "name" | "path" | "level"> {
  readonly kind: KindId;
  /** As people call it. */
  readonly source: string;
  /** Of what is in the prompt in full. */
  readonly tokens?: number;
  /** The path of what hides it. */
  readonly shadowedBy?: string;
}

export async function openContext(options: OpenContextOptions): Promise<ContextReport> {
  const { cwd, home, environment } = options;
  const paths = pathsOf(environment, home);
  const settings = await lookAtSettings(options);
  const schemas = tools.map(({ name, prompt, input }) => {
    return { name, description: prompt.trim(), parameters: input };
  });
  const { discovery, prompt } = composeContext({
    options,
    settings,
    paths,
    environment,
    clock: systemClock,
    // The report has them all.
    ui: { tell: () => {} },
    cwd: () => cwd,
    tools: () => schemas,
  });
  const ids = Object.keys(kinds) as KindId[];
  const loaded = contextFiles(discovery.find("context-file"), discovery.look);
  const warnings = [
    ...settings.problems.map(({ place, message }) => ({ place, text: message })),
    ...loaded.warnings,
    ...ids.flatMap((id) => (id === "context-file" ? [] : discovery.find(id).warnings)),
  ];
  const sizes = new Map(loaded.files.map(({ path, text }) => [path, tokensOf(text)]));
  return {
    tokens: { systemPrompt: tokensOf(prompt.text), tools: tokensOf(JSON.stringify(schemas)) },
    rows: ids.flatMap((id) => rowsOf(id, discovery, sizes)),
    warnings: distinct(warnings),
  };
}

function rowsOf(
  kind: KindId,
  discovery: Discovery,
  sizes: ReadonlyMap<string, number>,
): ContextRow[] {
  const { items, shadowed } = discovery.find(kind);
  const row = ({ name, path, level, sourceName }: Item) => {
    return { kind, name, path, level, source: sourceName };
  };
  return [
    ...items.map((item) => {
      const tokens = sizes.get(item.path);
      return { ...row(item), ...(tokens !== undefined && { tokens }) };
    }),
    ...shadowed.map(({ item, by }) => ({ ...row(item), shadowedBy: by.path })),
  ];
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** One file may be looked at for several kinds. */
function distinct(warnings: readonly Warning[]): readonly Warning[] {
  return [...new Map(warnings.map((one) => [`${one.place}\0${one.text}`, one])).values()];
}
