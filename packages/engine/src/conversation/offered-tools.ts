/** The tools the model is offered now: those of the house, of the front end, and of the run in progress. */

import type { Tool } from "@omp/agent";
import type { ToolSchema } from "@omp/ai/schema";

/** The tool that gives an answer its form; nobody else may take the name. */
export const FINAL_ANSWER = "final_answer";

/** Who brought a tool along. */
export type ToolOwner = "house" | "host" | "run";

export class OfferedTools<Hosts> {
  readonly #byName = new Map<string, Tool<Hosts>>();
  readonly #owners = new Map<ToolOwner, readonly Tool<Hosts>[]>();
  /** A schema is made once for each tool: protocols keep what they made of it by its identity. */
  readonly #made = new WeakMap<Tool<Hosts>, ToolSchema>();
  readonly #isStrict: boolean;
  #schemas: readonly ToolSchema[] = [];

  constructor(house: readonly Tool<Hosts>[], { isStrict }: { readonly isStrict: boolean }) {
    this.#isStrict = isStrict;
    this.offer("house", house);
  }

  /** One live map: who holds it sees every change. */
  get byName(): ReadonlyMap<string, Tool<Hosts>> {
    return this.#byName;
  }

  /** The same array until the tools change. */
  get schemas(): readonly ToolSchema[] {
    return this.#schemas;
  }

  namesOf(owner: ToolOwner): readonly string[] {
    return this.#owners.get(owner)?.map(({ name }) => name) ?? [];
  }

  /** Replaces all tools of this owner; in force with the next request. */
  offer(owner: ToolOwner, tools: readonly Tool<Hosts>[]): void {
    this.#owners.set(owner, tools);
    const all = [...this.#owners.values()].flat();
    this.#byName.clear();
    // A name of its own wins over another tool's second one.
    for (const tool of all) for (const name of tool.aliases ?? []) this.#byName.set(name, tool);
    for (const tool of all) this.#byName.set(tool.name, tool);
    this.#schemas = all.map((tool) => this.#schemaOf(tool));
  }

  #schemaOf(tool: Tool<Hosts>): ToolSchema {
    const known = this.#made.get(tool);
    if (known) return known;
    const { name, prompt, input } = tool;
    const strict = this.#isStrict;
    const made = { name, description: prompt.trim(), parameters: input, strict };
    this.#made.set(tool, made);
    return made;
  }
}
