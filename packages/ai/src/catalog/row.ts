/** The shape of the data files: short rows, because there are many of them. */

import type { ActiveThinkingLevel } from "../schema/thinking.ts";

export type CatalogRow = readonly [
  id: string,
  name: string,
  contextWindow: number,
  maxTokens: number,
  /** Input, output, cache reads, cache writes. */
  prices: readonly [number, number, number, number],
  seesImages: 0 | 1,
  /** `mode:level,level`; true for a model of which only its protocol knows how it thinks. */
  thinking: boolean | string,
  more?: {
    /** Where they differ from the file's. */
    readonly api?: string;
    readonly baseUrl?: string;
    /** The vendor's words for levels, where they differ from ours. */
    readonly efforts?: Readonly<Partial<Record<ActiveThinkingLevel, string>>>;
  },
];

export interface CatalogFile {
  readonly api: string;
  /** Protocol to address. */
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly models: readonly CatalogRow[];
}
