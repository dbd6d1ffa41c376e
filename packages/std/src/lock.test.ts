import { expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquireLock, type LockAttempt } from "./lock.ts";

function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "omp-lock-"));
  const path = join(folder, "file.lock");
  return { folder, path, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function held(attempt: LockAttempt): Extract<LockAttempt, { kind: "held" }> {
  if (attempt.kind !== "held") throw new Error("the lock is taken");
  return attempt;
}

/** The lock of a process that has ended. */
async function leaveDead(path: string): Promise<void> {
  const program = `(await import(${JSON.stringify(join(import.meta.dir, "lock.ts"))})).acquireLock(${JSON.stringify(path)})`;
  await Bun.spawn([process.execPath, "-e", program], { stderr: "inherit" }).exited;
}

test("a lock has one owner, also in one process, and is free after its release", () => {
  using place = scratch();
  const first = held(acquireLock(place.path));
  expect((statSync(place.path).mode & 0o777).toString(8)).toBe("600");
  const second = acquireLock(place.path);
  expect(second).toMatchObject({ kind: "taken", owner: { pid: process.pid } });
  first.release();
  expect(existsSync(place.path)).toBe(false);
  held(acquireLock(place.path)).release();
  // A second release does not touch what others have made in the meantime.
  const third = held(acquireLock(place.path));
  first.release();
  expect(existsSync(place.path)).toBe(true);
  third.release();
});

test("the lock of a dead process is taken over, and nothing is left behind", async () => {
  using place = scratch();
  await leaveDead(place.path);
  expect(existsSync(place.path)).toBe(true);
  const lock = held(acquireLock(place.path));
  expect(readdirSync(place.folder)).toEqual(["file.lock"]);
  expect(acquireLock(place.path)).toMatchObject({ kind: "taken", owner: { pid: process.pid } });
  lock.release();
  expect(readdirSync(place.folder)).toEqual([]);
});

test("a process that has ended counts as dead, even if nobody has collected it", async () => {
  using place = scratch();
  const program = `(await import(${JSON.stringify(join(import.meta.dir, "lock.ts"))})).acquireLock(${JSON.stringify(place.path)})`;
  const parent = Bun.spawn(["sh", "-c", '"$0" -e "$1" & exec sleep 60', process.execPath, program]);
  try {
    while (!existsSync(place.path) || statSync(place.path).size === 0) await Bun.sleep(5);
    const { pid } = JSON.parse(readFileSync(place.path, "utf8"));
    while (!/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await Bun.sleep(5);
    held(acquireLock(place.path)).release();
  } finally {
    parent.kill("SIGKILL");
    await parent.exited;
  }
});

test("a taker that died while taking over does not stop the next one", async () => {
  using place = scratch();
  await leaveDead(place.path);
  const { token } = JSON.parse(readFileSync(place.path, "utf8"));
  await leaveDead(`${place.path}.${token}.lock`);
  held(acquireLock(place.path)).release();
  expect(readdirSync(place.folder)).toEqual([]);
});

test("of many who take over at once exactly one succeeds", async () => {
  using place = scratch();
  const script = join(place.folder, "taker.ts");
  writeFileSync(
    script,
    `import { acquireLock } from ${JSON.stringify(join(import.meta.dir, "lock.ts"))};
     for await (const _ of console) {
       console.log(acquireLock(${JSON.stringify(place.path)}).kind);
       break;
     }
     await Bun.sleep(60_000);`,
  );
  for (let round = 0; round < 3; round++) {
    await leaveDead(place.path);
    const takers = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, script], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
    );
    try {
      for (const { stdin } of takers) await stdin.write("go\n");
      for (const { stdin } of takers) await stdin.flush();
      const words = await Promise.all(
        takers.map(async ({ stdout }) => {
          const { value } = await stdout.getReader().read();
          return new TextDecoder().decode(value).trim();
        }),
      );
      expect(words.filter((word) => word === "held").length).toBe(1);
    } finally {
      for (const taker of takers) taker.kill("SIGKILL");
      await Promise.all(takers.map(({ exited }) => exited));
    }
  }
});

const OURS = (fields: object) => {
  using place = scratch();
  const lock = held(acquireLock(place.path));
  const stamp = JSON.parse(readFileSync(place.path, "utf8"));
  lock.release();
  return JSON.stringify({ ...stamp, token: "00", ...fields });
};

test.each([
  ["a process of our number that began at another time is dead", { began: "1" }, "held"],
  ["a process of an earlier boot is dead", { boot: "earlier" }, "held"],
  ["of another machine we know nothing", { host: "elsewhere", pid: 1 }, "taken"],
  ["of another container we know nothing", { space: "pid:[1]" }, "taken"],
  [
    "what a lock does not say is no difference",
    { began: undefined, boot: undefined, space: undefined },
    "taken",
  ],
  ["a number that no process has is dead", { pid: 2 ** 30, began: undefined }, "held"],
])("%s", (_, fields, kind) => {
  using place = scratch();
  writeFileSync(place.path, OURS(fields));
  expect(acquireLock(place.path).kind).toBe(kind as LockAttempt["kind"]);
});

test("a lock that says nothing counts as held at first, and as left behind later", () => {
  using place = scratch();
  writeFileSync(place.path, "");
  expect(acquireLock(place.path)).toEqual({ kind: "taken" });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(place.path, longAgo, longAgo);
  expect(acquireLock(place.path).kind).toBe("held");
});

test("where no file can be made the system's error is thrown", () => {
  using place = scratch();
  expect(() => acquireLock(join(place.folder, "missing", "x.lock"))).toThrow("ENOENT");
});
