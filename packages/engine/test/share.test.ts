/** Sharing a session: by the person's own script, by `gh`, cancelled, refused. Real programs, nothing leaves. */

import type { UiNotice, UiPort, UiRequest } from "@omp/agent";
import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { BootOptions } from "../src/boot.ts";
import { stage, type BootedEngine, type Stage } from "./stage.ts";

const SECRET = "swordfish-0123456789";

interface Scene extends AsyncDisposable {
  readonly omp: BootedEngine;
  readonly told: readonly UiNotice[];
  readonly asked: readonly UiRequest[];
  /** A script of the person's own in the agent's folder. */
  script(name: string, body: string): void;
  /** What the fake browser and the fake `gh` were given. */
  calls(program: "gh" | "xdg-open"): readonly string[];
  /** Pages that are left in the folder of temporary files. */
  leftovers(): readonly string[];
  share(): ReturnType<typeof shared>;
}

const shared = (omp: BootedEngine) => omp.engine.dispatch({ type: "share_session" });

interface SceneOptions extends Partial<BootOptions> {
  /** What `gh gist create` does after it was noted; the page is `$4`. */
  readonly gist?: string;
  readonly isLoggedIn?: boolean;
  /** Replaces the search path of programs. */
  readonly path?: string;
  /** How the person answers; undefined is nobody there. */
  readonly answer?: boolean;
}

async function scene(on: Stage, options: SceneOptions = {}): Promise<Scene> {
  const {
    gist = "echo https://gist.github.com/me/abc123",
    isLoggedIn = true,
    answer,
    path,
    ...more
  } = options;
  const root = join(on.place.path, "..");
  const [bin, temp] = [join(root, "bin"), join(root, "temp")];
  for (const folder of [bin, temp]) mkdirSync(folder, { recursive: true });
  program(bin, "xdg-open", "");
  program(bin, "gh", `if [ "$1" = auth ]; then exit ${isLoggedIn ? 0 : 1}; fi\n${gist}`);
  const told: UiNotice[] = [];
  const asked: UiRequest[] = [];
  const ui: UiPort = {
    ...(answer === undefined && { absentBecause: "nobody is there." }),
    async request(request) {
      asked.push(request);
      return answer === undefined ? undefined : { kind: "confirm", accepted: answer };
    },
    tell: (notice) => void told.push(notice),
  };
  const omp = await on.boot({
    ui,
    env: { PATH: path ?? `${bin}:${process.env["PATH"]}`, TMPDIR: temp, SERVICE_TOKEN: SECRET },
    opensBrowser: true,
    ...more,
  });
  await omp.prompt(`The token is ${SECRET}, keep it.`);
  const agent = join(on.place.home, ".omp/agent");
  return {
    omp,
    told,
    asked,
    script: (name, body) => writeFileSync(join(agent, name), body),
    calls: (name) => linesIn(join(bin, `${name}.log`)),
    leftovers: () => readdirSync(temp).filter((name) => name.endsWith(".html")),
    share: () => shared(omp),
    [Symbol.asyncDispose]: () => omp[Symbol.asyncDispose](),
  };
}

function program(bin: string, name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$@" >> "$0.log"\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}

const linesIn = (path: string) =>
  existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

const answers = () => [turn(say("I will."))];

test("SOP-19 EXP-12 without a script `gh` makes a secret gist; both addresses are told, the preview is opened", async () => {
  await using on = await stage(answers());
  await using at = await scene(on);
  const result = await at.share();
  const preview = "https://gistpreview.github.io/?abc123";
  expect(result).toMatchObject({ url: "https://gist.github.com/me/abc123", previewUrl: preview });
  expect(result.message).toContain(preview);
  expect(result.message).toContain("https://gist.github.com/me/abc123");
  const [status, create, ...others] = at.calls("gh");
  expect(status).toBe("auth status");
  expect(create).toMatch(/^gist create --public=false \S+\.html$/);
  expect(others).toEqual([]);
  await until(() => at.calls("xdg-open").length > 0);
  expect(at.calls("xdg-open")).toEqual([preview]);
  expect(at.told.map(({ text }) => text)).toContain("Creating gist...");
  expect(at.leftovers()).toEqual([]);
});

test("SOP-19 EXP-12 a `gh` that is not logged in is an error and nothing is uploaded", async () => {
  await using on = await stage(answers());
  await using at = await scene(on, { isLoggedIn: false });
  await expect(at.share()).rejects.toThrow("gh auth login");
  expect(at.calls("gh")).toEqual(["auth status"]);
  expect(at.leftovers()).toEqual([]);
});

test("a machine without `gh` is told where to get it", async () => {
  await using on = await stage(answers());
  const empty = join(on.place.path, "../empty");
  await using at = await scene(on, { path: empty });
  await expect(at.share()).rejects.toThrow("GitHub CLI (gh) cannot be started");
});

test("a gist that cannot be made is told with the words of `gh`", async () => {
  await using on = await stage(answers());
  await using at = await scene(on, { gist: "echo 'HTTP 422: too large' >&2; exit 1" });
  await expect(at.share()).rejects.toThrow("Cannot create a gist: HTTP 422: too large");
  expect(at.leftovers()).toEqual([]);
});

test("what is shared has no secrets, and the person is told that it leaves the machine", async () => {
  await using on = await stage(answers());
  await using at = await scene(on, {
    gist: 'cp "$4" "$0.html"; echo https://gist.github.com/me/1',
  });
  await at.share();
  const html = readFileSync(join(on.place.path, "../bin/gh.html"), "utf8");
  const base64 = /"application\/json">([^<]*)</.exec(html)?.[1] ?? "";
  const page = Buffer.from(base64, "base64").toString();
  expect(page).toContain("The token is [redacted], keep it.");
  expect(page).not.toContain(SECRET);
  expect(at.told.map(({ text }) => text).join()).toContain("leaves this machine");
});

test("a person is asked first; without a yes nothing happens", async () => {
  await using on = await stage(answers());
  await using at = await scene(on, { answer: false });
  expect(await at.share()).toEqual({ message: "Share cancelled" });
  expect(at.asked).toMatchObject([{ kind: "confirm", title: "Share this session?" }]);
  expect(at.calls("gh")).toEqual([]);
});

test("a yes of the person is enough", async () => {
  await using on = await stage(answers());
  await using at = await scene(on, { answer: true });
  expect((await at.share()).url).toBe("https://gist.github.com/me/abc123");
});

test("SOP-14 each share writes a page of its own; what cannot be exported reaches neither script nor `gh`", async () => {
  await using on = await stage([...answers(), ...answers()]);
  {
    await using at = await scene(on, { session: { kind: "in-memory" } });
    at.script("share.ts", "export default () => { throw new Error('called') }");
    await expect(at.share()).rejects.toThrow("Cannot export in-memory session to HTML");
    expect(at.calls("gh")).toEqual([]);
  }
  await using other = await stage(answers());
  await using at = await scene(other);
  await at.share();
  await at.share();
  const pages = at.calls("gh").filter((line) => line.startsWith("gist"));
  expect(new Set(pages).size).toBe(2);
});

test.each([
  [
    "a text",
    "'https://example.com/1'",
    { url: "https://example.com/1", message: "https://example.com/1" },
    ["https://example.com/1"],
  ],
  [
    "url and message",
    "{ url: 'https://example.com/2', message: 'Here' }",
    { url: "https://example.com/2", message: "Here\nhttps://example.com/2" },
    ["https://example.com/2"],
  ],
  ["a message", "{ message: 'Sent by mail' }", { message: "Sent by mail" }, []],
  ["nothing", "undefined", { message: "Session shared" }, []],
] as const)("SOP-16 EXP-11 a script that answers with %s", async (_, answer, result, opened) => {
  await using on = await stage(answers());
  await using at = await scene(on);
  at.script("share.ts", `export default async (path: string) => (${answer});`);
  expect(await at.share()).toEqual(result);
  await until(() => at.calls("xdg-open").length === opened.length);
  expect(at.calls("xdg-open")).toEqual(opened);
  expect(at.calls("gh")).toEqual([]);
});

test("SOP-15 share.ts goes before share.js, share.js before share.mjs", async () => {
  for (const [names, used] of [
    [["share.ts", "share.js"], "share.ts"],
    [["share.js", "share.mjs"], "share.js"],
    [["share.mjs"], "share.mjs"],
  ] as const) {
    await using on = await stage(answers());
    await using at = await scene(on);
    for (const name of names) at.script(name, `export default () => ({ message: "${name}" });`);
    expect((await at.share()).message).toBe(used);
  }
});

const BROKEN = [
  ["cannot be loaded", "export default (", "Cannot load"],
  ["has no default function", "export const share = 1;", "must export a default function"],
  ["throws", "export default () => { throw new Error('no room'); };", "failed: no room"],
];

test.each(BROKEN)(
  "SOP-18 SOP-17 EXP-11 a script that %s is an error; nothing else is tried, the page is removed",
  async (_, body, words) => {
    await using on = await stage(answers());
    await using at = await scene(on);
    at.script("share.js", body);
    await expect(at.share()).rejects.toThrow(words);
    expect(at.calls("gh")).toEqual([]);
    expect(at.leftovers()).toEqual([]);
  },
);

test("SOP-17 the script gets a page that is there, is waited for with `Sharing...`, and leaves none behind", async () => {
  await using on = await stage(answers());
  await using at = await scene(on);
  at.script(
    "share.mjs",
    "import fs from 'node:fs'; export default (path) => ({ message: `${path} ${fs.statSync(path).size > 1000}` });",
  );
  const { message } = await at.share();
  expect(message).toMatch(/\.html true$/);
  expect(at.told.map(({ text }) => text)).toContain("Sharing...");
  expect(at.leftovers()).toEqual([]);
});

test.each([
  ["before it said anything", "", {}],
  [
    "after the gist was made",
    "echo https://gist.github.com/me/late;",
    { url: "https://gist.github.com/me/late" },
  ],
])("SOP-20 cancelled %s, `gh` is gone and what was made is told", async (_, first, expected) => {
  await using on = await stage(answers());
  await using at = await scene(on, { gist: `${first} echo $$ > "$0.pid"; sleep 60 & wait` });
  const sharing = at.share();
  const file = join(on.place.path, "../bin/gh.pid");
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  await at.omp.engine.dispatch({ type: "abort_share" });
  const result = await sharing;
  expect(result).toMatchObject(expected);
  expect(result.message).toStartWith("Share cancelled");
  expect(result.message).toContain(result.url ?? "");
  expect(() => process.kill(Number(readFileSync(file, "utf8")), 0)).toThrow();
  expect(at.leftovers()).toEqual([]);
  expect(at.calls("xdg-open")).toEqual([]);
});

test("one share at a time; cancelling without one does nothing", async () => {
  await using on = await stage(answers());
  await using at = await scene(on);
  at.script("share.ts", "export default () => new Promise(() => {});");
  await at.omp.engine.dispatch({ type: "abort_share" });
  const sharing = at.share();
  await expect(at.share()).rejects.toThrow("being shared already");
  await until(() => at.told.some(({ text }) => text === "Sharing..."));
  await at.omp.engine.dispatch({ type: "abort_share" });
  expect((await sharing).message).toBe("Share cancelled");
});
