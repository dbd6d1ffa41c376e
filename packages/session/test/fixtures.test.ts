/** Sessions that other programs really wrote: each opens to what its program itself said about it. */

import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Message } from "@omp/ai/schema";
import { branchOf, contextOf, indexById, SessionLog, type TreeNode } from "@omp/session";
import { doors, said, scratch } from "./scratch.ts";

interface ExpectedMessage {
  readonly role: string;
  readonly text: string | { readonly length: number; readonly head: string; readonly tail: string };
}

interface Expected {
  readonly sessionId: string;
  readonly cwd: string;
  readonly lines: number;
  readonly entries: number;
  readonly types: Readonly<Record<string, number>>;
  readonly title?: string | null;
  readonly leafId: string;
  readonly roots: number;
  readonly branchPoints: number;
  readonly leaves: number;
  readonly activeBranch: { readonly entries: number; readonly messages: number };
  readonly labels?: Readonly<Record<string, string>>;
  readonly parentSession?: string;
  readonly resume?: { readonly model?: string; readonly messages: readonly ExpectedMessage[] };
}

interface Fixture {
  readonly name: string;
  readonly agent: string;
  readonly path: string;
  readonly expected: Expected;
}

const folder = resolve(
  process.env["OMP_FIXTURES"] ?? join(import.meta.dir, "../../../../shared/fixtures"),
  "sessions",
);
const fixtures = existsSync(folder) ? findFixtures() : [];

describe.skipIf(fixtures.length === 0)("fixtures of other programs (OMP_FIXTURES)", () => {
  test.each(fixtures)("$name opens as its program opened it", async ({ path, agent, expected }) => {
    const before = statSync(path);
    await using log = await SessionLog.open({ path, access: "read", ...doors() });
    expect(log.problems).toEqual([]);
    expect(log.header).toMatchObject({ id: expected.sessionId, cwd: expected.cwd });
    expect(log.header.parentSession).toBe(expected.parentSession);
    expect(log.title).toBe(expected.title ?? undefined);
    expect(log.leafId).toBe(expected.leafId);
    expect(log.entries.length).toBe(expected.entries);
    expect(Object.fromEntries(countBy(log.entries.map(({ type }) => type)))).toEqual(
      expected.types,
    );
    expect(shapeOf(log.tree())).toEqual({
      roots: expected.roots,
      branchPoints: expected.branchPoints,
      leaves: expected.leaves,
      labels: expected.labels ?? {},
    });
    const branch = log.branch();
    expect(branch.length).toBe(expected.activeBranch.entries);
    expect(branch.filter(({ type }) => type === "message").length).toBe(
      expected.activeBranch.messages,
    );
    const { model, messages } = contextOf(branch);
    // pi takes the model of the last answer, and keeps failed answers; we follow omp in both.
    if (agent === "omp" && expected.resume) {
      expect(model).toBe(expected.resume.model!);
      expectSame(messages, expected.resume.messages);
    }
    expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
  });

  test.each(fixtures)("$name survives an append, a rename, a fork and a move", async (fixture) => {
    using place = scratch();
    const path = join(place.folder, "copy.jsonl");
    cpSync(fixture.path, path);
    const before = readFileSync(path);
    const log = await SessionLog.open({ path, ...doors() });
    const context = contextOf(log.branch());
    log.append(said("appended"));
    log.rename("Renamed", "user");
    const fork = await SessionLog.fork(log, { cwd: "/f", folder: place.folder, ...doors(7) });
    await log.moveTo({ cwd: "/m", folder: join(place.folder, "moved") });
    await log.close();
    await fork.close();

    const bodyOf = (bytes: Buffer) =>
      bytes
        .toString("utf8")
        .split("\n")
        .filter((line) => !/^\{"type":"(title|session)"/.test(line));
    for (const file of [log.path!, fork.path!]) {
      const lines = bodyOf(readFileSync(file));
      expect(lines.slice(0, fixture.expected.entries)).toEqual(
        bodyOf(before).slice(0, fixture.expected.entries),
      );
      await using again = await SessionLog.open({ path: file, access: "read", ...doors() });
      expect(again.problems).toEqual([]);
      expect(again.title).toBe("Renamed");
      expect(again.entries.length).toBe(fixture.expected.entries + 2);
      const old = branchOf(indexById(again.entries), fixture.expected.leafId);
      expect(contextOf(old)).toEqual(context);
    }
  });
});

function findFixtures(): Fixture[] {
  return readdirSync(folder).flatMap((version) =>
    readdirSync(join(folder, version)).flatMap((name) => {
      const root = join(folder, version, name);
      const { agent, sessions } = JSON.parse(readFileSync(join(root, "expect.json"), "utf8"));
      return Object.entries<Expected>(sessions).map(([file, expected], at) => ({
        name: `${version}/${name} ${at}`,
        agent,
        path: join(root, file),
        expected,
      }));
    }),
  );
}

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function shapeOf(roots: readonly TreeNode[]) {
  const labels: Record<string, string> = {};
  let [branchPoints, leaves] = [0, 0];
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.label !== undefined) labels[node.entry.id] = node.label;
    if (node.children.length === 0) leaves++;
    if (node.children.length > 1) branchPoints++;
    open.push(...node.children);
  }
  return { roots: roots.length, branchPoints, leaves, labels };
}

const SAME_ROLE: ReadonlySet<string> = new Set(["assistant", "toolResult", "developer"]);

function expectSame(messages: readonly Message[], expected: readonly ExpectedMessage[]): void {
  const told = expected.map(({ role, text }) => ({
    role: SAME_ROLE.has(role) ? role : "user",
    text: typeof text === "string" ? text : text.head,
  }));
  const ours = messages.map(({ role, content }, at) => {
    const all =
      typeof content === "string"
        ? content
        : content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const wanted = told[at]?.text ?? "";
    return { role, text: all.includes(wanted) ? wanted : all };
  });
  expect<object[]>(ours).toEqual(told);
}
