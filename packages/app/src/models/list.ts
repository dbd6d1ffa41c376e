/** Models as rows: of a table for people, of a JSON document for programs. Pure. */

/** What is shown of a model. */
export interface ShownModel {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly reasoning: boolean;
  readonly thinking?: { readonly mode: string; readonly levels: readonly string[] };
  readonly input: readonly string[];
  readonly prices: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

export interface ListedModel {
  readonly model: ShownModel;
  /** The id it is grouped under; absent for a model that belongs to no group. */
  readonly canonical: string | undefined;
  readonly isOfficial: boolean;
  /** It can be called now. */
  readonly isAvailable: boolean;
}

export function rowOf({ model, canonical, isAvailable }: ListedModel): object {
  const { provider, id, name, contextWindow, maxTokens, reasoning, thinking, input } = model;
  return {
    provider,
    id,
    selector: `${provider}/${id}`,
    name,
    contextWindow,
    maxTokens,
    reasoning,
    thinking: thinking ?? null,
    input,
    cost: model.prices,
    canonical: canonical ?? null,
    available: isAvailable,
  };
}

/** The canonical section, then a section for each provider. */
export function listText(models: readonly ListedModel[]): string {
  if (models.length === 0) return "";
  const groups = Map.groupBy(models, ({ canonical }) => canonical);
  const canonical = [...groups].flatMap(([id, variants]) => {
    if (id === undefined || !(variants.length > 1 || variants[0]!.isOfficial)) return [];
    return [[id, [...new Set(variants.map(({ model }) => model.provider))].join(", ")]];
  });
  const byProvider = Map.groupBy(models, ({ model }) => model.provider);
  return [
    ...(canonical.length > 0 ? [section("Canonical", canonical)] : []),
    ...[...byProvider].map(([provider, own]) => section(provider, own.map(cellsOf))),
  ].join("\n");
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      if (cell.length > (widths[column] ?? 0)) widths[column] = Math.min(MAX_WIDTH, cell.length);
    });
  }
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  return `${[title, ...lines].join("\n  ")}\n`;
}

/** A few very long ids must not push the columns of all others off the screen. */
const MAX_WIDTH = 52;

function cellsOf({ model, isAvailable }: ListedModel): readonly string[] {
  const { provider, id, name, contextWindow, maxTokens, prices, input, reasoning } = model;
  const abilities = [
    ...(reasoning ? ["thinks"] : []),
    ...(input.includes("image") ? ["sees"] : []),
    ...(isAvailable ? [] : ["no key"]),
  ];
  const isFree = prices.input === 0 && prices.output === 0;
  return [
    `${provider}/${id}`,
    name,
    short(contextWindow),
    short(maxTokens),
    isFree ? "" : `$${prices.input}/$${prices.output}`,
    abilities.join(", "),
  ];
}

/** 200000 is 200K, 1048576 is 1M. */
function short(tokens: number): string {
  if (tokens >= 1_000_000) return `${Math.round(tokens / 100_000) / 10}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}K` : String(tokens);
}
