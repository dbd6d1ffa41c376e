/**
 * Finds the Bun binary that `npm ci` installed.
 *
 * The `bun` package normally moves its binary into place with an install script. This workspace
 * runs no install scripts, so the binary is taken from the platform package directly. Where somebody
 * did let the script run, the platform package is empty and the binary is in `bun/bin`.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const executable = process.platform === "win32" ? "bun.exe" : "bun";
const PLACEHOLDER_BYTES = 1_000_000;

/** @returns {string} the absolute path of the Bun executable */
export function findBun() {
  const require = createRequire(import.meta.url);
  const candidates = platformPackages().flatMap((name) => {
    const manifest = resolveOrUndefined(require, `${name}/package.json`);
    return manifest ? [join(dirname(manifest), "bin", executable)] : [];
  });
  const wrapper = resolveOrUndefined(require, "bun/package.json");
  if (wrapper) candidates.push(join(dirname(wrapper), "bin", "bun.exe"));
  const found = candidates.find(
    (path) => existsSync(path) && statSync(path).size > PLACEHOLDER_BYTES,
  );
  if (found) return found;
  throw new Error(
    `No Bun binary for ${process.platform}-${process.arch} is installed. Run "npm ci" in the project first.`,
  );
}

function platformPackages() {
  const arch = process.arch === "arm64" ? "aarch64" : process.arch;
  const os = process.platform === "win32" ? "windows" : process.platform;
  const plain = `@oven/bun-${os}-${arch}`;
  return isMusl() ? [`${plain}-musl`, plain] : [plain];
}

function isMusl() {
  if (process.platform !== "linux") return false;
  try {
    return readdirSync("/lib").some((name) => name.startsWith("ld-musl-"));
  } catch {
    return false; // No /lib to look at: assume the common C library.
  }
}

function resolveOrUndefined(require, id) {
  try {
    return require.resolve(id);
  } catch {
    return undefined; // Optional platform packages are absent on other platforms.
  }
}
