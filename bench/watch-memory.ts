/** A thread that reads one process's high-water mark of memory until the process has ended. */

import { readFileSync } from "node:fs";

declare const self: Worker;

self.onmessage = ({ data: pid }: MessageEvent<number>) => {
  let peakKb = 0;
  for (;;) {
    const current = readMark(pid);
    if (current === undefined) break;
    peakKb = Math.max(peakKb, current);
  }
  postMessage(peakKb / 1024);
};

/** Undefined once the process is gone: a zombie has no memory. */
function readMark(pid: number): number | undefined {
  try {
    const mark = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return mark ? Number(mark[1]) : undefined;
  } catch {
    return undefined; // The process has been collected.
  }
}
