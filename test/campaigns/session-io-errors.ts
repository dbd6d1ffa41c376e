/** The system refuses a call, or some, or takes less than it was given: nothing is lost without a word. */

import { messageOf, type Random } from "@omp/std";
import { cleanEnvironment, type Campaign, type TracedCall } from "@omp/testkit";
import {
  driverCommand,
  freshStore,
  nameOf,
  onStore,
  spread,
  type Point,
} from "../support/points.ts";
import { accountOf, faultOfStore } from "../support/store.ts";

const campaign: Campaign = {
  name: "session-io-errors",
  describe:
    "Whatever the disk refuses is told, and is there once it takes it; the rest is untouched.",
  fullCount: 1_000,
  async run({ count, random, report }) {
    let left = count;
    for await (const point of spread(count, random)) {
      if (left === 0) return;
      const trial = planOf(point, random);
      const why = await faultOf(point, trial).catch(messageOf);
      if (why === "unharmed") continue;
      left -= 1;
      const name = `${nameOf(point)} ${trial.name}`;
      report(
        why === undefined
          ? { case: name, result: "passed" }
          : { case: name, result: "failed", why },
      );
    }
  },
};

export default campaign;

type Trial =
  | { readonly kind: "refused"; readonly name: string; readonly inject: string }
  /** The disk has room for this many bytes of every file, and for more after it was told. */
  | { readonly kind: "short"; readonly name: string; readonly bytes: number };

const ERRORS = ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "EINTR", "EACCES"];
/** What a sync can say. */
const SYNC_ERRORS = ["ENOSPC", "EDQUOT", "EIO", "EROFS"];

function planOf({ call, at }: Point, random: Random): Trial {
  if (random.next() < 0.15) {
    const bytes = 1 + Math.floor(random.next() ** 2 * 2500);
    return { kind: "short", name: `no more than ${bytes} bytes`, bytes };
  }
  const isSync = call.endsWith("sync");
  const error = pick(isSync ? SYNC_ERRORS : ERRORS, random);
  const effect = call === "write" && random.next() < 0.1 ? "retval=0" : `error=${error}`;
  const when = random.next() < 0.5 ? `${at}` : `${at}..${at + 1 + Math.floor(random.next() * 6)}`;
  const name = `${effect} when ${when}`;
  return { kind: "refused", name, inject: `${call}:${effect}:when=${when}` };
}

/** Undefined when all is well; "unharmed" when nothing was refused this time. */
function faultOf(point: Point, trial: Trial): Promise<string | undefined> {
  if (trial.kind === "short") return faultOfShort(point, trial.bytes);
  return onStore(point, { inject: trial.inject }, async ({ folder, lines, run }) => {
    const injected = run.calls.filter(({ isInjected }) => isInjected);
    // How much is opened before the start varies, and what cannot be loaded cannot fail well.
    if (injected.length === 0 || lines[0] !== "START") return "unharmed";
    // A picture that its store does not take stays in the line.
    const silent = point.operation === "pictures" ? undefined : silentSync(injected, lines);
    return silent ?? faultOfOutcome(folder, point, lines, run.stderr);
  });
}

async function faultOfShort(point: Point, bytes: number): Promise<string | undefined> {
  const { operation, variant } = point;
  using store = freshStore(operation, variant);
  // Without the trap the limit would kill the process instead of failing the write.
  const limited = `trap '' XFSZ; exec prlimit --fsize=${bytes}:unlimited "$0" "$@"`;
  const command = [...driverCommand(operation, store.folder, variant), "short"];
  const child = Bun.spawn(["sh", "-c", limited, ...command], {
    env: cleanEnvironment(undefined),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20_000,
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return await faultOfOutcome(store.folder, point, stdout.split("\n").slice(0, -1), stderr);
}

/** What a device has lost it does not report twice: whoever asked must have heard. */
function silentSync(injected: readonly TracedCall[], lines: readonly string[]): string | undefined {
  const sync = injected.find(({ name }) => name.endsWith("sync"));
  const isTold = lines.some((line) => line.startsWith("ERR"));
  return sync && !isTold
    ? `${sync.name} failed with ${sync.result}, and nobody was told`
    : undefined;
}

async function faultOfOutcome(
  folder: string,
  { operation, variant }: Point,
  lines: readonly string[],
  stderr: string,
): Promise<string | undefined> {
  const said = lines.join(", ");
  const last = lines.at(-1);
  if (last !== "CLOSED" && last !== "END") return `it did not end: ${said} ${stderr}`;
  const { bug, acknowledged, refused, isClosed } = accountOf(lines);
  if (bug !== undefined) return bug;
  // What was refused is part of the log all the same, and goes out with the rest at the latest.
  const late = [...refused].flatMap(([what, kind]) => {
    return isClosed && what.startsWith("<m-") && kind !== "read-only" ? [what] : [];
  });
  const wanted = new Set([...acknowledged, ...late]);
  const why = await faultOfStore(folder, { operation, variant, wanted });
  return why && `${why} (${said})`;
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random.next() * items.length)]!;
}
