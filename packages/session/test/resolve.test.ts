/** Which session is meant by a path, an id or its beginning; and which one a terminal goes on with. */

import {
  newestSession,
  readBreadcrumb,
  resolveSession,
  sessionFolders,
  terminalId,
  writeBreadcrumb,
  isSameFolder,
} from "@omp/session";
import { UserError } from "@omp/std";
import { expect, test } from "bun:test";
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { jsonl, scratch } from "./scratch.ts";

const ID = "019abcde-0000-7000-8000-00000000000";

function session(folder: string, name: string, id: string, cwd: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, jsonl({ type: "session", version: 3, id, timestamp: "", cwd }));
  return path;
}

function stage(folder: string) {
  const here = join(folder, "sessions/here");
  const other = join(folder, "sessions/other");
  const cwd = realpathSync(folder);
  const scope = { cwd, folders: [here], elsewhere: [here, other] };
  const time = "2026-01-02T03-04-05-678Z";
  return {
    here,
    other,
    cwd,
    scope,
    add: (where: string, id: string, of = cwd, name = `${time}_${id}`) =>
      session(where, name, id, of),
  };
}

test("SESS-59 SOP-29 a path, an id, its beginning in any case, the file name and its beginning", () => {
  using place = scratch();
  const { here, scope, add } = stage(place.folder);
  const path = add(here, `${ID}1`);
  const short = add(here, "fedcba9876543210");
  const odd = add(here, "cafe0123", undefined, "renamed");
  const found = (value: string) => resolveSession(value, scope).path;
  expect(found(path)).toBe(path);
  expect(found("sub/x.jsonl")).toBe(join(scope.cwd, "sub/x.jsonl"));
  expect(found("x.jsonl")).toBe(join(scope.cwd, "x.jsonl"));
  expect(found(`${ID}1`)).toBe(path);
  expect(found("019a")).toBe(path);
  expect(found("019ABCDE")).toBe(path);
  expect(found("FEDC")).toBe(short);
  expect(found("2026-01-02T03-04-05-678Z_019")).toBe(path);
  expect(found("cafe01")).toBe(odd);
  expect(() => found("")).toThrow("not found");
  expect(() => found("beef")).toThrow(new UserError("session", 'Session "beef" not found.'));
});

test("SESS-59 SOP-29 other projects are looked at last, and not at all where a folder was named", () => {
  using place = scratch();
  const { here, other, scope, add } = stage(place.folder);
  const local = add(here, `${ID}1`);
  add(other, `${ID}2`, "/elsewhere");
  const far = add(other, "beef0123", "/elsewhere");
  expect(resolveSession("019a", scope)).toEqual({ path: local });
  expect(resolveSession("beef", scope)).toEqual({ path: far, otherProject: "/elsewhere" });
  const named = { ...scope, elsewhere: [] };
  expect(() => resolveSession("beef", named)).toThrow('Session "beef" not found.');
});

test("a session of another folder that shares the name of this one's is of another project", () => {
  using place = scratch();
  const { here, scope, add } = stage(place.folder);
  const twin = add(here, `${ID}1`, "/home/a-b");
  const elsewhere = [here];
  expect(resolveSession("019a", { ...scope, elsewhere })).toEqual({
    path: twin,
    otherProject: "/home/a-b",
  });
  const own = add(here, `${ID}2`);
  expect(resolveSession("019a", { ...scope, elsewhere })).toEqual({ path: own });
});

test("SOP-31 of several matches none is taken: the error lists them; a whole id is no beginning", () => {
  using place = scratch();
  const { here, scope, add } = stage(place.folder);
  const whole = add(here, "abcd1234");
  add(here, "abcd12345");
  expect(() => resolveSession("abcd", scope)).toThrow(/\n  abcd12345 [^]*\n  abcd1234 /);
  expect(() => resolveSession("2026-01", scope)).toThrow(/not the only one/);
  expect(resolveSession("ABCD1234", scope).path).toBe(whole);
});

test("SESS-02 a folder with the older name is looked into as well", () => {
  using place = scratch();
  const home = join(place.folder, "home");
  const cwd = join(home, "work/app");
  mkdirSync(cwd, { recursive: true });
  const folders = sessionFolders({ agentDir: place.folder, cwd, home, tmp: "/nowhere" });
  const old = `--${realpathSync(cwd).slice(1).replaceAll("/", "-")}--`;
  expect(folders).toEqual([
    join(place.folder, "sessions/-work-app"),
    join(place.folder, "sessions", old),
  ]);
  const path = session(folders[1]!, "x", ID, cwd);
  mkdirSync(folders[0]!, { recursive: true });
  expect(newestSession(folders, (head) => isSameFolder(head.cwd, cwd))).toBe(path);
});

test("the newest session counts only if it is of this folder, by whatever name", () => {
  using place = scratch();
  const { here, cwd, add } = stage(place.folder);
  const link = join(place.folder, "link");
  symlinkSync(cwd, link);
  const own = add(here, "one", link);
  add(here, "two", "/home/a-b");
  expect(newestSession([here], (head) => isSameFolder(head.cwd, cwd))).toBe(own);
});

test("SESS-07 the device of the terminal names it, else the first of the known variables", () => {
  const environment = {
    WT_SESSION: "wt",
    TERM_SESSION_ID: "term",
    WEZTERM_PANE: "wez",
    KITTY_WINDOW_ID: "kitty",
    CMUX_SURFACE_ID: "cmux",
    TMUX_PANE: "%3",
    ZELLIJ_PANE_ID: "7",
  };
  expect(terminalId("/dev/pts/0", environment)).toBe("pts-0");
  const order = [];
  const left: Record<string, string | undefined> = { ...environment };
  for (let id = terminalId(undefined, left); id; id = terminalId(undefined, left)) {
    order.push(id);
    left[id.slice(0, id.indexOf("-"))] = undefined;
  }
  expect(order).toEqual([
    "ZELLIJ_PANE_ID-7",
    "TMUX_PANE-%3",
    "CMUX_SURFACE_ID-cmux",
    "KITTY_WINDOW_ID-kitty",
    "WEZTERM_PANE-wez",
    "TERM_SESSION_ID-term",
    "WT_SESSION-wt",
  ]);
  expect(terminalId(undefined, { TMUX_PANE: "../../x" })).toBe("TMUX_PANE-..-..-x");
});

test("SESS-06 a breadcrumb is folder, file and the word fresh; other third lines mean nothing", async () => {
  using place = scratch();
  const folder = join(place.folder, "terminal-sessions");
  await writeBreadcrumb(folder, "pts-0", { cwd: "/x", sessionFile: "/y.jsonl", isFresh: true });
  expect(readFileSync(join(folder, "pts-0"), "utf8")).toBe("/x\n/y.jsonl\nfresh\n");
  expect(statSync(join(folder, "pts-0")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readBreadcrumb(folder, "pts-0")).toEqual({
    cwd: "/x",
    sessionFile: "/y.jsonl",
    isFresh: true,
  });
  writeFileSync(join(folder, "pts-1"), "/x\n/y.jsonl\ncwdstat 65024 3448836");
  expect(readBreadcrumb(folder, "pts-1")?.isFresh).toBe(false);
  writeFileSync(join(folder, "pts-2"), "");
  expect(readBreadcrumb(folder, "pts-2")).toBeUndefined();
  expect(readBreadcrumb(folder, "pts-3")).toBeUndefined();
});

test("a breadcrumb that cannot be written is no error", async () => {
  using place = scratch();
  const blocked = join(place.folder, "file");
  writeFileSync(blocked, "");
  const crumb = { cwd: "/x", sessionFile: "/y", isFresh: false };
  await writeBreadcrumb(join(blocked, "terminal-sessions"), "pts-0", crumb);
  expect(readFileSync(blocked, "utf8")).toBe("");
});
