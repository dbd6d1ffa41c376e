/** Runs the workspace's own Bun with the given arguments: `node script/bun.mjs test`. */
import { spawnSync } from "node:child_process";
import { findBun } from "./find-bun.mjs";

const [command, ...rest] = process.argv.slice(2);
// Bun prefers a package script of the same name; whoever comes through here means Bun's own command.
const flags = command === "check" || command === "fmt" ? ["--no-script"] : [];
const args = command === undefined ? [] : [command, ...flags, ...rest];
const { status, signal, error } = spawnSync(findBun(), args, { stdio: "inherit" });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
