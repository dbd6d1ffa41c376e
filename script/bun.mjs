/** Runs the workspace's own Bun with the given arguments: `node script/bun.mjs test`. */
import { spawnSync } from "node:child_process";
import { findBun } from "./find-bun.mjs";

const { status, signal, error } = spawnSync(findBun(), process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
