/** Operations on the lines they were meant for. */

import { ToolFailure } from "@omp/agent";
import { changeLines, type FileText } from "../file-text.ts";
import type { Operation } from "./parse.ts";

/** @throws ToolFailure when the operations do not fit a file of this many lines, or each other */
export function checkOperations(operations: readonly Operation[], lineCount: number): void {
  for (const { anchors } of operations) {
    for (const { line } of anchors) {
      if (line > lineCount) {
        throw new ToolFailure(`Line ${line} does not exist (file has ${lineCount} lines)`);
      }
    }
  }
  const removals = operations.filter(({ count }) => count > 0).sort((a, b) => a.at - b.at);
  for (const [index, { at, inputLine }] of removals.entries()) {
    const before = removals[index - 1];
    if (before && before.at + before.count > at) {
      const [first, second] = [before.inputLine, inputLine].sort((a, b) => a - b);
      throw new ToolFailure(
        `line ${second}: its range overlaps that of line ${first}. Write one operation for both.`,
      );
    }
  }
}

/** All places are those of `text`, whatever the other operations do. */
export function applyOperations(text: FileText, operations: readonly Operation[]): FileText {
  return changeLines(text, inOrder(operations, text.lines.length));
}

/** From top to bottom; at one place as they were written, but what belongs to the beginning comes first. */
export function inOrder(operations: readonly Operation[], lineCount: number): readonly Operation[] {
  return operations
    .map((operation) => ({ ...operation, at: Math.min(operation.at, lineCount) }))
    .sort((a, b) => a.at - b.at || rank(a) - rank(b));
}

function rank({ edge }: Operation): number {
  return edge === "BOF" ? 0 : 1;
}
