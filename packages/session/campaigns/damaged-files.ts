/** A damaged session file opens, keeps every entry that is whole, and loses none of its bytes when it is written to. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contextOf, SessionLog, type TreeNode } from "@omp/session";
import { messageOf, systemClock, type Random } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { damage, DAMAGES, soundFile, type Piece } from "../test/damages.ts";

const MAX_MS = 2000;

const campaign: Campaign = {
  name: "damaged-sessions",
  describe:
    "Damaged session files open within 2 s, with every whole entry reachable and no byte lost.",
  fullCount: 10_000,
  async run({ count, random, report }) {
    const folder = mkdtempSync(join(tmpdir(), "omp-damaged-"));
    try {
      for (let i = 0; i < count; i++) {
        const { pieces, kinds } = damagedFile(random);
        const name = `${i}: ${kinds.join(", ")}`;
        const why = await faultOf(join(folder, String(i)), pieces, random).catch(messageOf);
        report(
          why === undefined
            ? { case: name, result: "passed" }
            : { case: name, result: "failed", why },
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default campaign;

function damagedFile(random: Random): { pieces: readonly Piece[]; kinds: readonly string[] } {
  let pieces = soundFile(random);
  const kinds: string[] = [];
  for (let left = 1 + Math.floor(random.next() * 3); left > 0; left--) {
    const kind = DAMAGES[Math.floor(random.next() * DAMAGES.length)]!;
    kinds.push(kind);
    pieces = damage(kind, pieces, random);
  }
  return { pieces, kinds };
}

/** What is wrong with this case, or undefined. */
async function faultOf(
  name: string,
  pieces: readonly Piece[],
  random: Random,
): Promise<string | undefined> {
  const folder = mkdtempSync(`${name}-`);
  const path = join(folder, "session.jsonl");
  const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
  writeFileSync(path, bytes);
  const markers = pieces.flatMap((piece) => piece.marker ?? []);
  const started = performance.now();
  const log = await SessionLog.open({ path, clock: systemClock, random });
  try {
    contextOf(log.branch());
    const missing = missingFrom(log, markers);
    if (missing) return missing;
    const tookMs = performance.now() - started;
    if (tookMs > MAX_MS) return `opening took ${Math.round(tookMs)} ms`;
    if (log.access.kind === "read-only") {
      await log.close();
      return readFileSync(path).equals(bytes) ? undefined : "a read-only file was changed";
    }
    const message = { role: "user", content: "afterwards", timestamp: 1 } as const;
    log.append({ type: "message", message });
    log.persist();
  } finally {
    await log.close();
  }
  await using again = await SessionLog.open({ path, clock: systemClock, random });
  const missing = missingFrom(again, [...markers, "afterwards"]);
  if (missing) return `after a write: ${missing}`;
  return lostBytes(folder, pieces);
}

function missingFrom(log: SessionLog, markers: readonly string[]): string | undefined {
  const listed = JSON.stringify(log.entries);
  const notListed = markers.find((marker) => !listed.includes(marker));
  if (notListed !== undefined) return `${notListed} is not among the entries`;
  const shown = new Set(nodesOf(log.tree()).map((node) => JSON.stringify(node.entry)));
  const text = [...shown].join("\n");
  const notShown = markers.find((marker) => !text.includes(marker));
  return notShown === undefined ? undefined : `${notShown} is not in the tree`;
}

function nodesOf(roots: readonly TreeNode[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  const waiting = [...roots];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    nodes.push(node);
    waiting.push(...node.children);
  }
  return nodes;
}

/** Every line of the damaged file must still be somewhere: in the session or in what was put beside it. */
function lostBytes(folder: string, pieces: readonly Piece[]): string | undefined {
  const kept = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
  const lost = pieces.find(({ bytes, isHead }) => {
    // The title slot and the header may be rewritten; what they say is kept.
    if (isHead) return false;
    return !kept.includes(bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes);
  });
  return lost && `lost: ${lost.bytes.toString("latin1").slice(0, 80)}`;
}
