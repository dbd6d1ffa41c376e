/** The system prompt of the session: put together once for a folder, and again when something makes it stale. */

import type { ToolSchema } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { Discovery } from "../discovery/discovery.ts";
import type { KindId, Warning } from "../discovery/item.ts";
import type { Look } from "../discovery/look.ts";
import {
  assembleBlocks,
  factsBlock,
  type Custom,
  type Customs,
  type StableParts,
} from "./assemble.ts";
import { contextFiles } from "./context-files.ts";
import { workspaceTree } from "./workspace-tree.ts";

export type PromptBlocks = readonly string[];

export interface PromptOverrides {
  /** Replaces the built-in instructions; a function gets all blocks and gives those that are sent. */
  readonly systemPrompt?: string | ((blocks: PromptBlocks) => PromptBlocks) | undefined;
  /** Added to them. */
  readonly appendSystemPrompt?: string | undefined;
}

export interface SystemPromptDeps {
  readonly discovery: Discovery;
  readonly overrides: PromptOverrides;
  readonly clock: Clock;
  readonly platform: string;
  readonly uses: PromptUses;
  /** Those that are offered now; the same array as long as they do not change. */
  tools(): readonly ToolSchema[];
  warn(warning: Warning): void;
}

export interface PromptUses {
  /** No: no system prompt at all. */
  readonly anything: boolean;
  readonly rules: boolean;
  readonly skills: boolean;
  readonly tree: boolean;
}

/** What one folder brings, read once. */
interface Made {
  readonly look: Look;
  readonly stable: Omit<StableParts, "tools">;
  readonly customs: Customs;
  readonly facts: string;
}

interface Blocks {
  readonly made: Made;
  readonly tools: readonly ToolSchema[];
  readonly blocks: PromptBlocks;
}

export class SystemPrompt {
  readonly #deps: SystemPromptDeps;
  #made: Made | undefined;
  #last: Blocks | undefined;
  #joined: { readonly blocks: PromptBlocks; readonly text: string } | undefined;

  constructor(deps: SystemPromptDeps) {
    this.#deps = deps;
  }

  /** The same array, with the same bytes, until the folder, its files or the tools are looked at anew. */
  get blocks(): PromptBlocks {
    if (!this.#deps.uses.anything) return [];
    const made = this.#current();
    const tools = this.#deps.tools();
    if (this.#last?.made !== made || this.#last.tools !== tools) {
      this.#last = { made, tools, blocks: this.#assemble(made, tools) };
    }
    return this.#last.blocks;
  }

  /** The blocks as one text. */
  get text(): string {
    const { blocks } = this;
    if (this.#joined?.blocks !== blocks) this.#joined = { blocks, text: blocks.join("\n\n") };
    return this.#joined.text;
  }

  #assemble({ stable, customs, facts }: Made, tools: readonly ToolSchema[]): PromptBlocks {
    const names = tools.map(({ name }) => name);
    const blocks = assembleBlocks({ ...stable, tools: names }, facts, customs);
    const { systemPrompt } = this.#deps.overrides;
    return typeof systemPrompt === "function" ? systemPrompt(blocks) : blocks;
  }

  #current(): Made {
    const { discovery } = this.#deps;
    const { look } = discovery;
    if (this.#made?.look !== look) this.#made = this.#make(look);
    return this.#made;
  }

  #make(look: Look): Made {
    const { discovery, uses, clock, platform, warn } = this.#deps;
    const { files, warnings } = contextFiles(discovery.find("context-file"), look);
    warnings.forEach(warn);
    const tree = workspaceTree(look, clock);
    return {
      look,
      stable: {
        rules: uses.rules ? this.#told("rule") : [],
        skills: uses.skills ? this.#told("skill") : [],
      },
      customs: this.#customs(),
      facts: factsBlock({
        cwd: look.place.cwd,
        platform,
        date: dateOf(clock.now()),
        files,
        nested: tree.nested,
        tree: uses.tree ? tree.lines : [],
      }),
    };
  }

  /** A flag counts before a file; what is blank counts as absent. */
  #customs(): Customs {
    const { systemPrompt, appendSystemPrompt } = this.#deps.overrides;
    const given = typeof systemPrompt === "string" ? systemPrompt : undefined;
    const files = this.#told("system-prompt");
    const found = (name: string): Custom | undefined => {
      const file = files.find((one) => one.name === name);
      return file && { text: file.text, isFound: true };
    };
    return {
      replaced: said(given) ?? found("SYSTEM.md"),
      appended: said(appendSystemPrompt) ?? found("APPEND_SYSTEM.md"),
    };
  }

  #told<Id extends KindId>(id: Id) {
    const { items, warnings } = this.#deps.discovery.find(id);
    warnings.forEach((warning) => this.#deps.warn(warning));
    return items;
  }
}

function said(text: string | undefined): Custom | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? undefined : { text: trimmed, isFound: false };
}

/** In Greenwich: to find out the day where the person is would take a third of the time of the start. */
function dateOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, "2000-01-01".length)} (UTC)`;
}
