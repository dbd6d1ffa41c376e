/** What is found: one thing of a kind, and where it comes from. */

import type { MarkdownFile } from "./front-matter.ts";

export type Level = "user" | "project";

/** Every kind of thing that files can bring. */
export interface KindItems {
  readonly "context-file": ContextFile;
  readonly "slash-command": MarkdownItem;
  readonly prompt: MarkdownItem;
  readonly instruction: MarkdownItem;
  readonly rule: Rule;
  readonly skill: Skill;
  readonly hook: Hook;
  readonly tool: Item;
  readonly "extension-module": Item;
  readonly extension: Item;
  readonly "mcp-server": McpServer;
  readonly settings: Item;
  readonly "system-prompt": PromptFile;
}

export type KindId = keyof KindItems;

export interface Item {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly level: Level;
  /** Id of the source. */
  readonly source: string;
  /** The source as people call it. */
  readonly sourceName: string;
  readonly priority: number;
}

/** Where a source looked and found something; what it is worth is for its kind to say. */
export interface Found extends Item {
  /** The folder that the place belongs to: the parent of `.omp`, of `.claude`, of the file itself. */
  readonly folder: string;
  /** What the place says about everything in it. */
  readonly says: Readonly<Record<string, string>>;
}

export interface ContextFile extends Item {
  readonly folder: string;
  readonly text: string;
}

export interface MarkdownItem extends Item, Pick<MarkdownFile, "fields" | "body"> {}

export interface Rule extends Item {
  /** The body, without front matter. */
  readonly content: string;
  readonly globs: readonly string[];
  readonly alwaysApply: boolean;
  readonly description?: string;
  /** The pattern that interrupts a stream. */
  readonly condition?: string;
}

export interface Skill extends Item {
  readonly description: string;
  /** Can be read, and is not announced. */
  readonly isHidden: boolean;
}

export interface Hook extends Item {
  readonly stage: "pre" | "post";
  /** The tool it watches; `*` for all. */
  readonly tool: string;
}

export interface McpServer extends Item {
  /** As it stands in its file. */
  readonly definition: Readonly<Record<string, unknown>>;
}

export interface PromptFile extends Item {
  readonly text: string;
}

export interface Discovered<Found extends Item> {
  /** Those that count, the strongest source first. */
  readonly items: readonly Found[];
  readonly shadowed: readonly Shadowed<Found>[];
  readonly warnings: readonly Warning[];
}

export interface Shadowed<Found extends Item> {
  readonly item: Found;
  readonly by: Found;
}

export interface Warning {
  readonly place: string;
  readonly text: string;
}
