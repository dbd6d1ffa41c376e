/** Whatever befalls a write, the file holds what it held or what it should hold: never a mix, never half. */

import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, type Random } from "@omp/std";
import { cleanEnvironment, runTraced, type Campaign } from "@omp/testkit";

const DRIVER = fileURLToPath(import.meta.resolve("../test/write-driver.ts"));
const WORKS = ["replace", "create", "large", "link", "journaled", "expected", "remove"] as const;
type Work = (typeof WORKS)[number];

const CALLS = [
  ...["openat", "write", "pwrite64", "fsync", "rename", "renameat2", "unlink", "unlinkat"],
  ...["mkdir", "mkdirat", "fchmod", "fchown", "read", "pread64", "close", "readlink"],
] as const;
const ERRORS = ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "EACCES", "EINTR"];

/** The `at`th call of this name in its thread. */
interface Point {
  readonly call: string;
  readonly at: number;
}

const campaign: Campaign = {
  name: "atomic-writes",
  describe: "Killed, refused and cut off writes leave the old file or the new one.",
  fullCount: 500,
  async run({ count, random, report }) {
    const points = new Map<Work, readonly Point[]>();
    let left = count;
    // Some faults hit nothing; more than a few rounds would mean that none ever does.
    for (let tries = 0; left > 0 && tries < count * 4; tries++) {
      const work = WORKS[tries % WORKS.length]!;
      if (!points.has(work)) points.set(work, await pointsOf(work));
      const fault = randomFault(points.get(work)!, random);
      const why = await faultOf(work, fault).catch(messageOf);
      if (why === "unharmed") continue;
      left -= 1;
      const name = `${work}: ${fault.kind === "short" ? `${fault.bytes} bytes` : fault.inject}`;
      report(
        why === undefined
          ? { case: name, result: "passed" }
          : { case: name, result: "failed", why },
      );
    }
  },
};

export default campaign;

type Fault =
  | { readonly kind: "killed" | "refused"; readonly inject: string }
  | { readonly kind: "short"; readonly bytes: number };

function randomFault(points: readonly Point[], random: Random): Fault {
  if (random.next() < 0.1) return { kind: "short", bytes: Math.floor(random.next() * 400_000) };
  const { call, at } = pick(points, random);
  if (random.next() < 0.5) return { kind: "killed", inject: `${call}:signal=KILL:when=${at}` };
  const error = pick(ERRORS, random);
  // Who is interrupted tries again, and would do so for ever.
  const isLasting = random.next() < 0.3 && error !== "EINTR";
  const inject = `${call}:error=${error}:when=${at}${isLasting ? "+" : ""}`;
  return { kind: "refused", inject };
}

/** The calls that the work makes once it has begun, found by letting it run undisturbed. */
async function pointsOf(work: Work): Promise<readonly Point[]> {
  using place = preparePlace(work);
  const { calls } = await runTraced(place.command, { calls: CALLS });
  const start = calls.findIndex(({ given }) => given.includes("START"));
  const counts = new Map<string, number>();
  return calls.flatMap(({ thread, name }, index) => {
    const at = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, at);
    return index > start ? [{ call: name, at }] : [];
  });
}

/** Undefined when all is well; "unharmed" when the fault did not come to pass. */
async function faultOf(work: Work, fault: Fault): Promise<string | undefined> {
  using place = preparePlace(work);
  const { stdout, isHit } = await runWith(place.command, fault);
  if (!isHit) return "unharmed";
  if (!stdout.startsWith("START\n")) return "unharmed";
  const said = stdout.slice("START\n".length).trim();
  const found = contentOf(place.target);
  const isOld = isSame(found, place.before);
  const isNew = isSame(found, place.after);
  if (!isOld && !isNew) return `the file has ${found?.length} bytes and is neither (${said})`;
  if (said === "OK" && !isNew) return "it said OK, and the file is the old one";
  // A refused `write` may be the very one that would have said it.
  const isMute =
    fault.kind === "killed" || (fault.kind === "refused" && fault.inject.startsWith("write:"));
  if (said === "" && !isMute) return "it said nothing";
  if (found && place.before && (fs.statSync(place.target).mode & 0o777) !== 0o640) {
    return "the permissions are others";
  }
  const isCleanable = fault.kind === "short" || !/^(?:unlink|close)/.test(fault.inject);
  if (said !== "" && isCleanable) return leftover(place.folder);
  return undefined;
}

async function runWith(command: readonly string[], fault: Fault) {
  if (fault.kind !== "short") {
    const { stdout, calls } = await runTraced(command, { calls: CALLS, inject: fault.inject });
    // Who is killed in a call never comes back from it.
    const isHit = fault.kind === "killed" || calls.some(({ isInjected }) => isInjected);
    return { stdout, isHit: isHit && !(fault.kind === "killed" && stdout.includes("OK")) };
  }
  // Without the trap the limit would kill the process instead of failing the write.
  const limited = `trap '' XFSZ; exec prlimit --fsize=${fault.bytes}:unlimited "$0" "$@"`;
  const child = Bun.spawn(["sh", "-c", limited, ...command], {
    env: cleanEnvironment(undefined),
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 20_000,
  });
  const stdout = await child.stdout.text();
  return { stdout, isHit: stdout.includes("ERR") };
}

function leftover(folder: string): string | undefined {
  const names = fs.readdirSync(folder, { recursive: true }).map(String);
  const found = names.find((name) => name.endsWith(".tmp"));
  return found && `${found} was left behind`;
}

function preparePlace(work: Work) {
  const root = fs.mkdtempSync(join(tmpdir(), "omp-write-"));
  const folder = join(root, "work");
  fs.mkdirSync(folder);
  const target = join(folder, work === "create" ? "new/dir/file" : "file");
  const size = work === "large" ? 300_000 : 5000;
  const before = work === "create" ? undefined : Buffer.alloc(size, "old line\n");
  const after = Buffer.alloc(size + 77, "new text\n");
  if (before) fs.writeFileSync(target, before, { mode: 0o640 });
  const content = join(root, "content");
  fs.writeFileSync(content, after);
  const given = work === "link" ? join(folder, "link") : target;
  if (work === "link") fs.symlinkSync("file", given);
  return {
    folder,
    target,
    before,
    after: work === "remove" ? undefined : after,
    command: [process.execPath, DRIVER, work, given, content],
    [Symbol.dispose]: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}

function contentOf(path: string): Buffer | undefined {
  return fs.existsSync(path) ? fs.readFileSync(path) : undefined;
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random.next() * items.length)]!;
}
