/** A program that asks and shows what it is told to, over the pipes of RPC mode; replies go to standard error. */

import type { UiPart, UiRequest } from "@omp/engine/protocol";
import { systemClock } from "@omp/std";
import { createConnection, listen } from "../src/rpc/connection.ts";

const [, , script = "[]"] = process.argv;
const connection = createConnection(systemClock, process.env);
const reading = listen(connection, { take() {}, settled: () => Promise.resolve() });
connection.outbox.ready();
const { port } = connection.ui;
for (const step of JSON.parse(script) as readonly (UiRequest | { show: UiPart })[]) {
  if ("show" in step) port.show?.(step.show);
  else {
    const reply = await port.request(step, new AbortController().signal);
    process.stderr.write(`${JSON.stringify(reply ?? null)}\n`);
  }
}
port.tell({ level: "info", text: "all asked" });
await reading;
await connection.outbox.drained(1000);
process.exit(0);
