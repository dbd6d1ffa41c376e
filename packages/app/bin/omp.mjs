#!/usr/bin/env node
/** The `omp` command of a checkout: runs the TypeScript source with the workspace's Bun. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "../../../script/find-bun.mjs";

const here = dirname(fileURLToPath(import.meta.url));
// Neither .env nor bunfig.toml of the folder we are started in may change or run anything.
const isolation = ["--no-env-file", `--config=${join(here, "bunfig.empty.toml")}`];
const child = spawn(
  findBun(),
  [...isolation, join(here, "..", "src", "main.ts"), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
// The terminal sends Ctrl-C to both of us; the child decides what it means and we wait for it.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`omp: cannot start Bun: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
