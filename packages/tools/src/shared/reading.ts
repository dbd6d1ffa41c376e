/** What the house says about reading: settings, and what is remembered between reads. */

import type { Pages } from "./pages.ts";

export interface Reading {
  /** Lines that are shown where the end is left open. */
  readonly defaultLimit: number;
  /** Numbers in front of lines where there are no anchors. */
  readonly lineNumbers: boolean;
  /** Bytes of a line; 0 is no limit. */
  readonly maxColumns: number;
  readonly allowsUrls: boolean;
  readonly summarize: {
    readonly enabled: boolean;
    /** Texts for people too. */
    readonly prose: boolean;
    readonly minTotalLines: number;
  };
  readonly pages: Pages;
  /** Knows what can be left out of a source; without one the indentation tells. */
  readonly outline?: Outline;
}

/** Lines that can be left out of a first look, counted from 1. */
export interface Fold {
  readonly from: number;
  readonly to: number;
  /** Folds inside of it, in order and apart from each other: what is left out when only this one is opened. */
  readonly inner: readonly Fold[];
}

export interface Outline {
  /** In order, apart from each other; undefined when the language is not known or the text does not parse. */
  folds(path: string, lines: readonly string[]): Promise<readonly Fold[] | undefined>;
}
