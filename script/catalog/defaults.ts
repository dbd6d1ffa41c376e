/** The default model of each provider, taken out of the catalogues. */

import { join } from "node:path";
import { providers } from "../../packages/ai/src/providers/registry.ts";
import type { CatalogFile } from "../../packages/ai/src/catalog/row.ts";

/** @param data the folder of the catalogues */
export async function defaultsText(data: string): Promise<string> {
  const lines: string[] = [];
  for (const { id, defaultModel, models } of providers) {
    const file = Bun.file(join(data, `${id}.json`));
    if (!(await file.exists())) continue;
    const { models: rows, ...head } = (await file.json()) as CatalogFile;
    const row = rows.find(([known]) => known === (defaultModel ?? models[0]?.id));
    if (row) lines.push(`${JSON.stringify(id)}:${JSON.stringify({ ...head, models: [row] })}`);
  }
  return `{\n${lines.join(",\n")}\n}\n`;
}
