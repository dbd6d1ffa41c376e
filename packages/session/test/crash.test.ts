/** What is left on disk when the process or the disk gives up. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contextOf, newestSession, readSessionFile, SessionLog } from "@omp/session";
import { doors, scratch } from "./scratch.ts";

test("SESS-45 SESS-49 killed right after a reply: the reply is in the file, and the context is sound", async () => {
  using place = scratch();
  const writer = fileURLToPath(import.meta.resolve("./killed-writer.ts"));
  const child = Bun.spawn([process.execPath, writer, place.folder], { stderr: "inherit" });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");

  const path = newestSession([place.folder], () => true);
  const log = await SessionLog.open({ path: path!, ...doors() });
  expect(log.problems).toEqual([]);
  expect(readFileSync(path!, "utf8")).toContain("the reply");
  log.append({
    type: "message",
    message: { role: "assistant", content: [], stopReason: "error" } as never,
  });
  await log.close();

  const { entries } = await readSessionFile(path!);
  const calls = (id: string) => ({ type: "toolCall", id });
  expect(entries.length).toBe(6);
  expect(entries[3]).toMatchObject({
    message: { content: [{ text: "the reply" }, calls("2"), calls("3")] },
  });
  expect(contextOf(entries).messages).toMatchObject([
    { role: "user", content: "please" },
    { role: "assistant", content: [calls("1")] },
    { role: "toolResult", toolCallId: "1" },
    { role: "assistant", content: [{ text: "the reply" }, calls("3")] },
    { role: "toolResult", toolCallId: "3" },
  ]);
});

test("killed at any moment: every entry that was named is in the file, and the next process goes on", async () => {
  using place = scratch();
  const path = join(place.folder, "busy.jsonl");
  const writer = fileURLToPath(import.meta.resolve("./busy-writer.ts"));
  const named: string[] = [];
  for (let kill = 0; kill < 6; kill++) {
    const child = Bun.spawn([process.execPath, writer, path], { stderr: "inherit" });
    // Some are killed in the middle of a rewrite, some in the middle of a line.
    setTimeout(() => child.kill("SIGKILL"), 60 + kill * 17);
    await child.exited;
    named.push(...(await child.stdout.text()).split("\n").slice(0, -1));
    const { entries, problems } = await readSessionFile(path);
    const ids = new Set(entries.map(({ id }) => id));
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
    expect(problems.filter(({ kind }) => kind !== "torn" && kind !== "not-json")).toEqual([]);
  }
  await using log = await SessionLog.open({ path, ...doors() });
  expect(log.access).toEqual({ kind: "write" });
  expect(named.length).toBeGreaterThan(10);
  expect(log.branch().length).toBe(log.entries.length);
});

test.skipIf(!Bun.which("prlimit"))(
  "a full disk costs no entry once there is room again",
  async () => {
    using place = scratch();
    const { path, ids, refusals } = await limitedTo(5120, place.folder);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals[0]).toBe(
      `Cannot write the session file ${path}: the file would become too large.`,
    );

    const { header, entries, problems } = await readSessionFile(path);
    expect(entries.map(({ id }) => id)).toEqual(ids);
    expect(header?.title).toBe("with room again");
    expect(problems.map(({ kind }) => kind)).toEqual(["not-json"]);
  },
);

test.skipIf(!Bun.which("prlimit"))(
  "a line that lacks only its end is not written a second time",
  async () => {
    using place = scratch();
    const whole = await limitedTo(1_000_000, place.folder);
    const lines = readFileSync(whole.path, "utf8").split("\n");
    const bytes = Buffer.byteLength(lines.slice(0, 5).join("\n"));

    const { path, ids, refusals } = await limitedTo(bytes, place.folder);
    expect(refusals.length).toBeGreaterThan(0);
    const { entries, problems } = await readSessionFile(path);
    expect(entries.map(({ id }) => id)).toEqual(ids);
    expect(problems).toEqual([]);
  },
);

interface Limited {
  readonly path: string;
  readonly ids: string[];
  readonly refusals: string[];
}

/** A writer whose files cannot grow further until it lifts the limit itself. */
async function limitedTo(bytes: number, folder: string): Promise<Limited> {
  const writer = fileURLToPath(import.meta.resolve("./limited-writer.ts"));
  // Without the trap the limit would kill the process instead of failing the write.
  const limited = `trap '' XFSZ; exec prlimit --fsize=${bytes}:unlimited "$0" "$@"`;
  const child = Bun.spawn(["bash", "-c", limited, process.execPath, writer, folder], {
    stderr: "inherit",
  });
  return JSON.parse(await child.stdout.text());
}
