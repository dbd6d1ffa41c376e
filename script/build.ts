/** Compiles the program to one executable, dist/omp. Does nothing when nothing that goes into it has changed. */

import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export interface BuildOptions {
  readonly entry: string;
  readonly outfile: string;
  /** The checkout whose sources go into the program; this one unless told otherwise. */
  readonly root?: string;
}

const checkout = resolve(import.meta.dir, "..");

export type BuildOutcome = "built" | "unchanged";

export async function buildBinary({
  entry,
  outfile,
  root = checkout,
}: BuildOptions): Promise<BuildOutcome> {
  const stampFile = `${outfile}.stamp`;
  const hash = await sourceHash(root, entry);
  if (await isStamped(outfile, stampFile, hash)) return "unchanged";
  await mkdir(dirname(outfile), { recursive: true });
  // Whoever runs the old program keeps it, and a build that fails or is killed leaves it in place.
  const fresh = `${outfile}.${process.pid}.tmp`;
  try {
    await compile(entry, fresh);
    await rename(fresh, outfile);
  } finally {
    await rm(fresh, { force: true });
  }
  await Bun.write(stampFile, stampOf(hash, await stat(outfile)));
  return "built";
}

async function compile(entry: string, outfile: string): Promise<void> {
  await Bun.build({
    entrypoints: [entry],
    target: "bun",
    format: "esm",
    minify: true,
    splitting: true,
    bytecode: true,
    plugins: [ripgrepInside],
    compile: {
      outfile,
      // Most code runs a few times: compiling it early costs start-up time, threads and memory.
      jitPolicy: 8,
      // The folder omp is started in is somebody's project: its files may not configure or run us.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    throw: true,
  });
}

/** The package finds its program in node_modules when it runs; here the program itself goes into ours. */
const ripgrepInside: Bun.BunPlugin = {
  name: "ripgrep-inside",
  setup(build) {
    build.onLoad({ filter: /[\\/]@vscode[\\/]ripgrep[\\/]lib[\\/]index\.js$/ }, async (found) => {
      const { rgPath } = (await import(found.path)) as { rgPath: string };
      const path = JSON.stringify(rgPath);
      return {
        loader: "js",
        contents: `import path from ${path} with { type: "file" }; export const rgPath = path;`,
      };
    });
  },
};

/** Hashes all that can change the result: sources, manifests, locked dependencies, compiler and this script. */
async function sourceHash(root: string, entry: string): Promise<string> {
  const globs = [
    "packages/*/src/**/*",
    "packages/*/package.json",
    "{package,package-lock,tsconfig}.json",
    "script/build.ts",
  ];
  const scans = globs.map((glob) => Array.fromAsync(new Bun.Glob(glob).scan({ cwd: root })));
  const found = (await Promise.all(scans)).flat().filter((path) => !path.endsWith(".test.ts"));
  const paths = [...found.map((path) => join(root, path)), entry].sort();
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(`${Bun.version_with_sha} ${process.platform} ${process.arch}\0`);
  for (const path of paths) {
    const bytes = await Bun.file(path).bytes();
    hash.update(`${path}\0${bytes.byteLength}\0`).update(bytes);
  }
  return hash.digest("hex");
}

async function isStamped(outfile: string, stampFile: string, hash: string): Promise<boolean> {
  const [output, stamp] = [Bun.file(outfile), Bun.file(stampFile)];
  if (!(await output.exists()) || !(await stamp.exists())) return false;
  return (await stamp.text()) === stampOf(hash, await output.stat());
}

/** Size and time of the program are part of the stamp, so that another file in its place is noticed. */
function stampOf(hash: string, output: { size: number; mtimeMs: number }): string {
  return `${hash} ${output.size} ${output.mtimeMs}\n`;
}

if (import.meta.main) {
  const started = performance.now();
  const outcome = await buildBinary({
    entry: join(checkout, "packages/app/src/main.ts"),
    outfile: join(checkout, "dist", process.platform === "win32" ? "omp.exe" : "omp"),
  });
  console.log(`dist/omp ${outcome} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
