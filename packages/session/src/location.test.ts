import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scratch } from "../test/scratch.ts";
import { newestSession } from "./list.ts";
import { sessionFileName, sessionFolder } from "./location.ts";

const latest = (folder: string) => newestSession([folder], () => true);

test("SESS-01 the file is named after its start and its id", () => {
  const name = sessionFileName(Date.UTC(2026, 0, 2, 3, 4, 5, 678), "0123-abc");
  expect(name).toBe("2026-01-02T03-04-05-678Z_0123-abc.jsonl");
});

test("SESS-02 a folder for each working directory, with symlinks resolved", () => {
  using place = scratch();
  const at = (...parts: string[]) => join(place.folder, ...parts);
  const made = (...parts: string[]) => {
    mkdirSync(at(...parts), { recursive: true });
    return at(...parts);
  };
  const [home, tmp, agentDir] = [made("home"), made("temp"), at("agent")];
  const nameFor = (cwd: string) => {
    const folder = sessionFolder({ agentDir, cwd, home, tmp });
    expect(folder.startsWith(at("agent", "sessions", "-"))).toBe(true);
    return folder.slice(at("agent", "sessions").length + 1);
  };
  const project = made("home", "code", "project");
  symlinkSync(project, at("link"));
  symlinkSync(home, at("other-home"));

  expect(nameFor(project)).toBe("-code-project");
  expect(nameFor(at("link"))).toBe("-code-project");
  expect(nameFor(at("other-home", "code"))).toBe("-code");
  expect(nameFor(home)).toBe("-");
  expect(nameFor(made("temp", "a", "b"))).toBe("-tmp-a-b");
  const elsewhere = made("home-of-another");
  expect(nameFor(elsewhere)).toBe(`--${elsewhere.slice(1).replaceAll("/", "-")}--`);

  const older = at("agent", "sessions", `--${project.slice(1).replaceAll("/", "-")}--`);
  mkdirSync(older, { recursive: true });
  writeFileSync(join(older, "2020-01-01T00-00-00-000Z_old.jsonl"), "");
  expect(nameFor(project)).toBe(older.slice(at("agent", "sessions").length + 1));
  const listed = latest(sessionFolder({ agentDir, cwd: project, home, tmp }));
  expect(listed).toBe(join(older, "2020-01-01T00-00-00-000Z_old.jsonl"));
});

test("a working directory that is gone still has a folder", () => {
  const cwd = "/no/such/folder";
  const folder = sessionFolder({ agentDir: "/agent", cwd, home: "/no/home", tmp: "/no/tmp" });
  expect(folder).toBe(resolve("/agent/sessions/--no-such-folder--"));
});

test("the latest session is the one written last, whatever its name says", () => {
  using place = scratch();
  const touch = (name: string, seconds: number) => {
    const path = join(place.folder, name);
    writeFileSync(path, "");
    utimesSync(path, seconds, seconds);
    return path;
  };
  expect(latest(join(place.folder, "missing"))).toBeUndefined();
  expect(latest(place.folder)).toBeUndefined();
  const written = touch("2020-01-01T00-00-00-000Z_a.jsonl", 300);
  touch("2024-01-01T00-00-00-000Z_b.jsonl", 200);
  touch("notes.txt", 400);
  mkdirSync(join(place.folder, "folder.jsonl"));
  expect(latest(place.folder)).toBe(written);
  const later = touch("2021-01-01T00-00-00-000Z_c.jsonl", 300);
  expect(latest(place.folder)).toBe(later);
});
