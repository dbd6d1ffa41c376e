/** A part of a JSON value: by the steps of a path (`a/b/0`) or of a query (`a.b[0]`). Pure. */

import { ToolFailure } from "@omp/agent";

const QUERY_STEP = /\.?([^.[\]"']+)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]/y;

export function pathSteps(path: string): readonly string[] {
  return path.split("/").filter((step) => step !== "");
}

export function querySteps(query: string): readonly string[] {
  const steps: string[] = [];
  // `$` and a leading dot stand for the whole, as in other languages of this kind.
  const text = query.trim().replace(/^\$/, "");
  if (text === "" || text === ".") return [];
  QUERY_STEP.lastIndex = 0;
  for (let at = 0; at < text.length; at = QUERY_STEP.lastIndex) {
    const found = QUERY_STEP.exec(text);
    const step = found?.slice(1).find((part) => part !== undefined);
    if (step === undefined)
      throw new ToolFailure(`Invalid query: ${query}. Use a form like a.b[0]`);
    steps.push(step);
  }
  return steps;
}

/** Texts as they are, everything else as JSON. */
export function extract(value: unknown, steps: readonly string[]): string {
  let part = value;
  for (const [index, step] of steps.entries()) {
    const isThere = typeof part === "object" && part !== null && Object.hasOwn(part, step);
    if (!isThere) throw new ToolFailure(`No value at ${steps.slice(0, index + 1).join(".")}`);
    part = (part as Record<string, unknown>)[step];
  }
  return typeof part === "string" ? part : JSON.stringify(part, undefined, 2);
}
