/** Random edits give what a second way of applying them gives, byte for byte. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFiles } from "@omp/host";
import { messageOf, type Random } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { textOf } from "../src/edit/file-text.ts";
import { parseInput } from "../src/edit/hashline/parse.ts";
import { planSections } from "../src/edit/hashline/plan.ts";
import { createNoOps, createSnapshots, type Hosts } from "../src/index.ts";
import {
  applyReference,
  below,
  operationLines,
  pick,
  randomOperations,
} from "../test/reference-edits.ts";
import { ANCHORED } from "../test/workbench.ts";

const campaign: Campaign = {
  name: "hashline-edits",
  describe: "Random hashline edits change files exactly as a reference applier does.",
  fullCount: 100_000,
  async run({ count, random, report }) {
    const cwd = mkdtempSync(join(tmpdir(), "omp-edits-"));
    try {
      for (let index = 0; index < count; index++) {
        const content = randomText(random);
        const why = await faultOf(cwd, content, random).catch(messageOf);
        const name = `${index}: ${JSON.stringify(content).slice(0, 200)}`;
        report(
          why === undefined
            ? { case: name, result: "passed" }
            : { case: name, result: "failed", why },
        );
      }
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  },
};

export default campaign;

/** What is wrong with this case, or undefined. */
async function faultOf(cwd: string, content: string, random: Random): Promise<string | undefined> {
  const hosts = hostsAt(cwd);
  const path = join(cwd, "f");
  writeFileSync(path, content);
  const header = `¶${random.next() < 0.1 ? path : "f"}#${hosts.snapshots.record(path, content)}`;
  const lineCount = content.replace("\ufeff", "").match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
  const operations = randomOperations(lineCount, random);
  const cut = below(operations.length, random);
  const lines = [
    ...(random.next() < 0.1 ? ["*** Begin Patch"] : []),
    header,
    ...operationLines(operations.slice(0, cut), random),
    ...(cut > 0 && random.next() < 0.3 ? [header] : []),
    ...operationLines(operations.slice(cut), random),
    ...(random.next() < 0.1 ? ["*** End Patch", "anything"] : []),
  ];
  const input = lines.join(random.next() < 0.1 ? "\r\n" : "\n");
  const expected = applyReference(content, operations);
  const { sections } = parseInput(input, { sign: "~" });
  const call = { id: "1", cwd, signal: new AbortController().signal, report() {} };
  const planned = await planSections(sections, call, hosts);
  const after = planned.length === 1 ? planned[0]!.after : undefined;
  const result = after && textOf(after);
  if (result === expected) return undefined;
  return `${JSON.stringify(input)} gave ${JSON.stringify(result)}, not ${JSON.stringify(expected)}`;
}

function hostsAt(home: string): Pick<Hosts, "files" | "resources" | "snapshots" | "editing"> {
  const no = () => Promise.reject(new Error("there are no resources"));
  return {
    files: createFiles({ home }),
    snapshots: createSnapshots(),
    editing: { ...ANCHORED, noOps: createNoOps() },
    resources: { isInternal: () => false, find: no, writable: no },
  };
}

function randomText(random: Random): string {
  const words = ["a", "b  ", "", "}", "  indented", "é", "x\ry", "\t", "¶f#AAAA", "12:x", "~z"];
  const ends = pick([["\n"], ["\r\n"], ["\n", "\r\n"]], random);
  let text = random.next() < 0.1 ? "\ufeff" : "";
  const lineCount = below(random.next() < 0.1 ? 60 : 9, random);
  for (let line = 0; line < lineCount; line++) {
    const isLast = line === lineCount - 1;
    const word = pick(words, random);
    const isOpen = isLast && word !== "" && random.next() < 0.3;
    text += word + (isOpen ? "" : pick(ends, random));
  }
  return text;
}
