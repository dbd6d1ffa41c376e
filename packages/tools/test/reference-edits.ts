/** A second, slower way to apply operations, written from the rules: what the real one is compared with. */

import type { Random } from "@omp/std";

export interface ReferenceOperation {
  readonly verb: "+" | "<" | "-" | "=";
  /** A line from 1 on, or an end of the file. */
  readonly from: number | "BOF" | "EOF";
  readonly to?: number;
  readonly payload: readonly string[];
}

interface Slot {
  text: string;
  end: string;
}

/** Marks what goes, puts in what comes from the bottom up, then takes out what was marked. */
export function applyReference(whole: string, operations: readonly ReferenceOperation[]): string {
  const mark = whole.startsWith("\ufeff") ? "\ufeff" : "";
  const old = slotsOf(whole.slice(mark.length));
  const slots: (Slot | undefined)[] = [...old];
  const inserts: { gap: number; order: number; slots: Slot[] }[] = [];
  for (const [order, { verb, from, to, payload }] of operations.entries()) {
    const first = from === "BOF" ? 0 : from === "EOF" ? old.length : from;
    const isRange = verb === "-" || verb === "=";
    const gap = typeof from === "string" ? first : verb === "+" ? first : first - 1;
    const last = to ?? first;
    if (isRange) for (let line = first; line <= last; line++) slots[line - 1] = undefined;
    const texts = verb === "=" && payload.length === 0 ? [""] : payload;
    const replaced = isRange ? old[gap]?.end : undefined;
    const near = [replaced, old[gap - 1]?.end, old[gap - 2]?.end, old[gap]?.end];
    const end = near.find((candidate) => candidate) ?? "\n";
    const added = texts.map((text) => ({ text, end }));
    inserts.push({ gap, order: from === "BOF" ? order - 1e6 : order, slots: added });
  }
  inserts.sort((a, b) => b.gap - a.gap || b.order - a.order);
  for (const { gap, slots: added } of inserts) slots.splice(gap, 0, ...added);
  const kept = slots.filter((slot) => slot !== undefined);
  return mark + joined(kept, old);
}

function joined(kept: readonly Slot[], old: readonly Slot[]): string {
  const wasOpen = old.at(-1)?.end === "";
  return kept
    .map(({ text, end }, index) => {
      if (index === kept.length - 1 && wasOpen) return text;
      return text + (end || old.at(-2)?.end || "\n");
    })
    .join("");
}

function slotsOf(text: string): Slot[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((raw) => {
    const end = raw.endsWith("\r\n") ? "\r\n" : raw.endsWith("\n") ? "\n" : "";
    return { text: raw.slice(0, raw.length - end.length), end };
  });
}

/** Operations that fit a file of this many lines and do not overlap. */
export function randomOperations(lineCount: number, random: Random): ReferenceOperation[] {
  const taken = new Set<number>();
  const operations: ReferenceOperation[] = [];
  for (let left = 1 + below(4, random); left > 0; left--) {
    const verb = lineCount === 0 ? "+" : pick(["+", "<", "-", "="] as const, random);
    const payload = Array.from({ length: 1 + below(3, random) }, () => payloadLine(random));
    if (verb === "+" || verb === "<") {
      const isEnd = lineCount === 0 || random.next() < 0.2;
      const from = isEnd ? pick(["BOF", "EOF"] as const, random) : 1 + below(lineCount, random);
      operations.push({ verb, from, payload });
      continue;
    }
    const from = 1 + below(lineCount, random);
    const to = Math.min(lineCount, from + below(4, random));
    const range = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    if (range.some((line) => taken.has(line))) continue;
    for (const line of range) taken.add(line);
    const isBare = verb === "-" || random.next() < 0.1;
    operations.push({ verb, from, to, payload: isBare ? [] : payload });
  }
  return operations.length > 0 ? operations : [{ verb: "+", from: "EOF", payload: ["added"] }];
}

/** As a model writes them, with the freedom it has. */
export function operationLines(
  operations: readonly ReferenceOperation[],
  random: Random,
): readonly string[] {
  return operations.flatMap(({ verb, from, to, payload }) => {
    const isShort = to === undefined || (to === from && random.next() < 0.5);
    const place = isShort ? `${from}` : `${from}..${to}`;
    const gap = random.next() < 0.2 ? [""] : [];
    return [`${verb} ${place}`, ...payload.map((line) => `~${line}`), ...gap];
  });
}

function payloadLine(random: Random): string {
  const kinds = ["", "}", "  ", "~", "+ 3", "¶x#AAAA", "*** Abort", "\ttab", "é😀"];
  return random.next() < 0.3 ? pick(kinds, random) : `added ${below(1000, random)}`;
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[below(items.length, random)]!;
}

export function below(limit: number, random: Random): number {
  return Math.floor(random.next() * limit);
}
