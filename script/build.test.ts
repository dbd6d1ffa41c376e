/** The build on a scratch project: the executable works alone, is replaced as a whole, and is made once. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary, type BuildOptions } from "./build.ts";

let root: string;
let options: BuildOptions;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "build-"));
  const entry = join(root, "packages/app/src/main.ts");
  await Bun.write(
    entry,
    `const { text } = await import("./late.ts");
     console.log(text, process.env["FROM_DOTENV"] ?? "no dotenv");`,
  );
  await Bun.write(join(root, "packages/app/src/late.ts"), `export const text = "one";`);
  await Bun.write(join(root, "elsewhere/.env"), "FROM_DOTENV=leaked");
  options = { root, entry, outfile: join(root, "dist/omp") };
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** The steps lean on each other: one compiled program is enough to show them all. */
test("the program is one file that runs in any folder, and is built again only after a change", async () => {
  expect(await buildBinary(options)).toBe("built");
  expect(run()).toBe("one no dotenv");
  expect((await readdir(join(root, "dist"))).sort()).toEqual(["omp", "omp.stamp"]);

  const before = await stat(options.outfile);
  expect(await buildBinary(options)).toBe("unchanged");
  await Bun.write(join(root, "packages/app/src/late.test.ts"), "test();");
  expect(await buildBinary(options)).toBe("unchanged");
  expect((await stat(options.outfile)).ino).toBe(before.ino);

  await Bun.write(join(root, "packages/app/src/late.ts"), `export const text = "two";`);
  expect(await buildBinary(options)).toBe("built");
  expect(run()).toBe("two no dotenv");

  await utimes(options.outfile, 1, 1);
  expect(await buildBinary(options)).toBe("built");
});

test("a failing build names the fault and leaves the last program in place", async () => {
  await buildBinary(options);
  await Bun.write(join(root, "packages/app/src/late.ts"), `import "./nowhere.ts";`);
  const fault = await buildBinary(options).catch((error: unknown) => String(Bun.inspect(error)));
  expect(fault).toContain("./nowhere.ts");
  expect(run()).toContain("two");
  expect((await readdir(join(root, "dist"))).sort()).toEqual(["omp", "omp.stamp"]);
});

function run(): string {
  const child = Bun.spawnSync([options.outfile], { cwd: join(root, "elsewhere"), env: {} });
  return child.stdout.toString().trim() + child.stderr.toString();
}
