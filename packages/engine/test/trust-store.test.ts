/** Folder and item trust: what is asked, what is stored, what changes. */

import type { TrustItem, UiReply, UiRequest } from "@omp/agent";
import { systemClock, UserError } from "@omp/std";
import { workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examine } from "../src/trust/examine.ts";
import { canonicalJson } from "../src/trust/fingerprint.ts";
import { createTrustStore } from "../src/trust/store.ts";
import { createTrust, type TrustDeps } from "../src/trust/trust.ts";

interface Desk {
  readonly asked: UiRequest[];
  readonly warnings: string[];
  readonly file: string;
  open(more?: Partial<TrustDeps>): ReturnType<typeof createTrust>;
}

const { signal } = new AbortController();

function deskIn(place: Workspace, answer: UiReply = { kind: "trust", accepted: true }): Desk {
  const asked: UiRequest[] = [];
  const warnings: string[] = [];
  const file = join(place.home, "trust.json");
  const ui = {
    request: (request: UiRequest) => (asked.push(request), Promise.resolve(answer)),
    tell: () => {},
  };
  return {
    asked,
    warnings,
    file,
    open: (more) =>
      createTrust({
        store: createTrustStore(file, systemClock, (text) => warnings.push(text)),
        ownFolder: join(place.home, "demo"),
        ui,
        asks: true,
        clock: systemClock,
        version: "1.2.3",
        ...more,
      }),
  };
}

test("a folder is asked about once; its answer is stored for it and the folders in it", async () => {
  await using place = await workspace();
  const desk = deskIn(place);
  mkdirSync(join(place.path, "a/b"), { recursive: true });
  expect(await desk.open().isFolderTrusted(place.path)).toBe(false);
  expect(await desk.open().askFolder(place.path, signal)).toBe(true);
  expect(await desk.open().askFolder(place.path, signal)).toBe(true);
  expect(desk.asked).toHaveLength(1);
  expect(desk.asked[0]).toMatchObject({ kind: "trust", title: `Do you trust ${place.path}?` });
  expect(await desk.open().isFolderTrusted(join(place.path, "a/b"))).toBe(true);
  expect(await desk.open().isFolderTrusted(join(place.path, ".."))).toBe(false);
  expect(await desk.open().isFolderTrusted(`${place.path}-twin`)).toBe(false);
  expect(statSync(desk.file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(desk.file, "utf8"))).toMatchObject({
    version: 1,
    folders: { [place.path]: { isTrusted: true, omp: "1.2.3", time: expect.any(String) } },
  });
});

test("a link leads to the folder that is trusted, and no further", async () => {
  await using place = await workspace();
  const desk = deskIn(place);
  for (const name of ["good", "bad"]) mkdirSync(join(place.path, name));
  await desk.open().askFolder(join(place.path, "good"), signal);
  symlinkSync(join(place.path, "good"), join(place.home, "to-good"));
  symlinkSync(join(place.path, "bad"), join(place.path, "good/to-bad"));
  expect(await desk.open().isFolderTrusted(join(place.home, "to-good"))).toBe(true);
  expect(await desk.open().isFolderTrusted(join(place.path, "good/to-bad"))).toBe(false);
});

test("a no is remembered, also below a trusted folder; no answer is asked again", async () => {
  await using place = await workspace();
  const sub = join(place.path, "sub");
  mkdirSync(sub);
  const no = deskIn(place, { kind: "trust", accepted: false });
  expect(await no.open().askFolder(sub, signal)).toBe(false);
  expect(await no.open().askFolder(sub, signal)).toBe(false);
  expect(no.asked).toHaveLength(1);
  await deskIn(place).open().askFolder(place.path, signal);
  expect(await no.open().isFolderTrusted(place.path)).toBe(true);
  expect(await no.open().isFolderTrusted(sub)).toBe(false);
  await using other = await workspace();
  const silent = deskIn(other, { kind: "input", value: "" });
  await silent.open().askFolder(other.path, signal);
  await silent.open().askFolder(other.path, signal);
  expect(silent.asked).toHaveLength(2);
});

test("nobody to ask: no question and no trust; omp's own folder and --trust need none", async () => {
  await using place = await workspace();
  const desk = deskIn(place);
  expect(await desk.open({ asks: false }).askFolder(place.path, signal)).toBe(false);
  const own = join(place.home, "demo/project");
  mkdirSync(own, { recursive: true });
  expect(await desk.open().isFolderTrusted(own)).toBe(true);
  expect(await desk.open().isFolderTrusted(join(place.home, "demo"))).toBe(false);
  const forRun = desk.open({ asks: false, trustedForRun: place.path });
  expect(await forRun.isFolderTrusted(place.path)).toBe(true);
  expect(await forRun.isFolderTrusted(place.home)).toBe(false);
  const item = hookOf(place);
  expect(await forRun.admit([item], signal)).toEqual([item]);
  expect(desk.asked).toEqual([]);
  expect(place.exists(desk.file)).toBe(false);
});

test("an item is asked about once, again when one byte of what it loads has changed", async () => {
  await using place = await workspace();
  const desk = deskIn(place);
  await place.write(".omp/hooks/pre/x.ts", 'import { a } from "../lib.js";\nexport default a;\n');
  await place.write(".omp/hooks/lib.ts", 'export * from "./deep";\n');
  await place.write(".omp/hooks/deep/index.ts", "export const a = 1;\n");
  const trust = desk.open();
  expect(await trust.allowed([hookOf(place)])).toEqual([]);
  expect(await trust.admit([hookOf(place)], signal)).toHaveLength(1);
  expect(await trust.admit([hookOf(place)], signal)).toHaveLength(1);
  expect(await desk.open().allowed([hookOf(place)])).toHaveLength(1);
  expect(desk.asked).toHaveLength(1);
  for (const file of [".omp/hooks/pre/x.ts", ".omp/hooks/lib.ts", ".omp/hooks/deep/index.ts"]) {
    await place.write(file, (await place.read(file)).replace(/\n$/, " "));
    expect(await trust.allowed([hookOf(place)])).toEqual([]);
    expect(await trust.admit([hookOf(place)], signal)).toHaveLength(1);
    expect(desk.asked.at(-1)).toMatchObject({ items: [{ change: `changed: ${file}` }] });
  }
  expect(desk.asked).toHaveLength(4);
});

test("refused where nobody can be asked: path, kind, why and what to type; pending lists it", async () => {
  await using place = await workspace();
  const trust = deskIn(place).open({ asks: false });
  const item = hookOf(place);
  const refused = await trust.admit([item], signal).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  const { kind, message } = refused as UserError;
  expect(kind).toBe("untrusted");
  expect(message).toContain(`hook ${item.path}: runs before tool calls`);
  expect(message).toMatch(/omp trust allow --items .* --trust/);
  expect(trust.pending()).toEqual([item]);
});

test("what cannot be followed holds all that is near; names hold the manifests; what is missing may come", async () => {
  await using place = await workspace();
  const hash = () => hookOf(place).contentHash;
  const write = async (text: string) => void (await place.write(".omp/hooks/pre/x.ts", text));
  const changes = async (file: string, text: string) => {
    const before = hash();
    await place.write(file, text);
    return hash() !== before;
  };
  await write("export default 1;");
  expect(await changes(".omp/hooks/pre/near.txt", "1")).toBe(false);
  await write('await import("./" + name);');
  expect(await changes(".omp/hooks/pre/near.txt", "2")).toBe(true);
  await write('import x from "left-pad";');
  expect(await changes("package.json", "{}")).toBe(true);
  expect(await changes("bun.lock", "{}")).toBe(true);
  await write('import "#mapped";');
  expect(await changes(".omp/hooks/pre/mapped.ts", "1")).toBe(true);
  await write('require("../../later.cjs");');
  expect(await changes(".omp/later.cjs", "1")).toBe(true);
  await write('import("./a.ts?x=1"); // loops\nimport "./x.ts";');
  expect(await changes(".omp/hooks/pre/a.ts", "1")).toBe(true);
  await write("this is ( not a program");
  expect(await changes(".omp/hooks/pre/near.txt", "3")).toBe(true);
});

test("a shell script is its file; what cannot be read in full is never the same twice", async () => {
  await using place = await workspace();
  const path = await place.write(".omp/tools/t.sh", "echo 1");
  const hash = () => examine({ kind: "tool", path, why: "" }, place.path).item.contentHash;
  expect(hash()).toBe(hash());
  await place.write(".omp/tools/t.sh", "x".repeat(9 * 1024 * 1024));
  expect(hash()).not.toBe(hash());
});

test("the bytes that were hashed are handed along: a file that changes in between is not used", async () => {
  await using place = await workspace();
  await place.write(".omp/hooks/pre/x.ts", "export default 1;");
  const { files, item } = examine(pieceOf(place), place.path);
  await place.write(".omp/hooks/pre/x.ts", "evil();");
  expect(new TextDecoder().decode(files.get(item.path) as Uint8Array)).toBe("export default 1;");
});

test("fields count by value, not by order; the same words in another shape are another value", () => {
  expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}');
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson([["a", 1]]));
});

test("a file that cannot be understood trusts nothing, is told of, and is not written over", async () => {
  await using place = await workspace();
  const desk = deskIn(place);
  writeFileSync(desk.file, '{"folders": {');
  expect(await desk.open({ asks: false }).isFolderTrusted(place.path)).toBe(false);
  expect(desk.warnings[0]).toContain(`${desk.file} cannot be read`);
  const failed = await desk
    .open()
    .askFolder(place.path, signal)
    .catch((error: unknown) => error);
  expect((failed as UserError).kind).toBe("bad-config");
  expect(readFileSync(desk.file, "utf8")).toBe('{"folders": {');
  writeFileSync(
    desk.file,
    JSON.stringify({ folders: { [place.path]: { isTrusted: "yes" } }, items: [1] }),
  );
  expect(await desk.open({ asks: false }).isFolderTrusted(place.path)).toBe(false);
});

test("two processes that write at once lose nothing", async () => {
  await using place = await workspace();
  const file = join(place.home, "trust.json");
  const source = join(import.meta.dir, "../src/trust");
  const program = await place.write(
    "writer.ts",
    `import { createTrustStore } from ${JSON.stringify(join(source, "store.ts"))};
     import { withFolder } from ${JSON.stringify(join(source, "trust.ts"))};
     import { systemClock } from ${JSON.stringify(join(source, "../../../std/src/index.ts"))};
     const store = createTrustStore(${JSON.stringify(file)}, systemClock, console.error);
     for (let at = 0; at < 25; at++) {
       await store.change(withFolder(process.argv[2] + at, { isTrusted: true, time: "", omp: "" }));
     }`,
  );
  const writers = ["/a", "/b"].map((name) =>
    Bun.spawn([process.execPath, program, name], { stdout: "ignore", stderr: "inherit" }),
  );
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0]);
  const { folders } = createTrustStore(file, systemClock, () => {}).read();
  expect(Object.keys(folders)).toHaveLength(50);
});

function pieceOf(place: Workspace) {
  const path = join(place.path, ".omp/hooks/pre/x.ts");
  return { kind: "hook", path, why: "runs before tool calls" };
}

function hookOf(place: Workspace): TrustItem {
  return examine(pieceOf(place), place.path).item;
}
