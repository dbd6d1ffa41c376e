/** Files are replaced whole or not at all. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile, takeName } from "./atomic-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "omp-atomic-"));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

describe("replaceFile", () => {
  test("creates a file, and replaces it", async () => {
    const path = join(folder, "a.txt");
    await replaceFile(path, "old");
    await replaceFile(path, new TextEncoder().encode("new é"), { durable: false });
    expect(await readFile(path, "utf8")).toBe("new é");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  test("content may come in pieces, small and large", async () => {
    const path = join(folder, "a.txt");
    const pieces = ["é", "", "b".repeat(1_500_000), "🌊", "c".repeat(10)];
    await replaceFile(path, pieces.values());
    expect(await readFile(path, "utf8")).toBe(pieces.join(""));
  });

  test("pieces that end with an error leave the old content and nothing else", async () => {
    const path = join(folder, "a.txt");
    await replaceFile(path, "old");
    const failing = function* () {
      yield "n".repeat(2_000_000);
      throw new Error("no more");
    };
    await expect(replaceFile(path, failing())).rejects.toThrow("no more");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  test("a new file gets the given mode, else the usual one", async () => {
    const before = process.umask(0o027);
    try {
      await replaceFile(join(folder, "usual"), "");
      await replaceFile(join(folder, "given"), "", { mode: 0o666 });
    } finally {
      process.umask(before);
    }
    expect(await modeOf(join(folder, "usual"))).toBe(0o640);
    expect(await modeOf(join(folder, "given"))).toBe(0o666);
  });

  test("the mode of an existing file stays, unless one is given", async () => {
    const path = join(folder, "run.sh");
    await writeFile(path, "old");
    await chmod(path, 0o751);
    await replaceFile(path, "new");
    expect(await modeOf(path)).toBe(0o751);
    await replaceFile(path, "new", { mode: 0o600 });
    expect(await modeOf(path)).toBe(0o600);
  });

  test("a symbolic link stays one, through relative links and linked folders", async () => {
    await mkdir(join(folder, "real", "deep"), { recursive: true });
    await writeFile(join(folder, "real", "target"), "old");
    await symlink("../target", join(folder, "real", "deep", "link"));
    await symlink("real/deep", join(folder, "short"));
    await replaceFile(join(folder, "short", "link"), "new");
    expect(await readFile(join(folder, "real", "target"), "utf8")).toBe("new");
    expect((await lstat(join(folder, "real", "deep", "link"))).isSymbolicLink()).toBe(true);
  });

  test("a link to nothing creates what it points to; a circle is refused", async () => {
    await symlink("later", join(folder, "link"));
    await replaceFile(join(folder, "link"), "x");
    expect(await readFile(join(folder, "later"), "utf8")).toBe("x");
    await symlink("circle", join(folder, "circle"));
    expect(replaceFile(join(folder, "circle"), "x")).rejects.toMatchObject({ code: "ELOOP" });
  });

  test("missing folders are not created", async () => {
    const missing = replaceFile(join(folder, "no", "a"), "x");
    await expect(missing).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a folder in the way leaves no temporary file", async () => {
    await mkdir(join(folder, "taken"));
    await expect(replaceFile(join(folder, "taken"), "x")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  test("a disk that takes only a part leaves the old content and no temporary file", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "old");
    const end = await driver(["bash", "-c", 'trap "" XFSZ; ulimit -f 64; exec "$@"', "bash"], path);
    expect(end).toBe("EFBIG");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  test("a folder or file that may not be written stays as it is", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "old");
    await chmod(path, 0o666);
    await chmod(folder, 0o555);
    expect(await driver([], path, { asOrdinaryUser: true })).toBe("EACCES");
    await chmod(path, 0o444);
    await chmod(folder, 0o777);
    expect(await driver([], path, { asOrdinaryUser: true })).toBe("EACCES");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });
});

/** Replaces the file in a process of its own, with limits ours must not have. Gives the error's code. */
async function driver(prefix: string[], path: string, { asOrdinaryUser = false } = {}) {
  const script = `
    const { replaceFile } = await import(${JSON.stringify(join(import.meta.dir, "atomic-file.ts"))});
    await replaceFile(${JSON.stringify(path)}, "x".repeat(1_000_000)).then(
      () => console.log("done"),
      (error) => console.log(error.code),
    );`;
  const nobody = { uid: 65_534, gid: 65_534 };
  const child = Bun.spawn([...prefix, process.execPath, "-e", script], {
    ...(asOrdinaryUser && process.getuid?.() === 0 ? nobody : {}),
    stdout: "pipe",
    stderr: "inherit",
  });
  return (await child.stdout.text()).trim();
}

test("a finished file gets a name that is free, and no other", async () => {
  const [temporary, path] = [join(folder, ".tmp"), join(folder, "file")];
  await writeFile(temporary, "one");
  takeName(temporary, path);
  expect(await readdir(folder)).toEqual(["file"]);
  await writeFile(temporary, "two");
  expect(() => takeName(temporary, path)).toThrow("EEXIST");
  expect(await readFile(path, "utf8")).toBe("one");
});
