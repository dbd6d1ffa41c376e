/** The example of the README: asks about a folder, with a tool of its own. */

import { createRpcClient } from "@omp/rpc-client";

const omp = createRpcClient({
  command: process.argv.slice(2), // nothing: `omp` of the PATH
  args: ["--no-session", "--yolo"],
  ui: { ask: ({ method }) => (method === "confirm" ? { confirmed: true } : { cancelled: true }) },
});
await omp.start();
await omp.setCustomTools([
  {
    name: "ticket",
    label: "Ticket",
    description: "Reads a ticket of our tracker",
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    run: async (input) => `Ticket ${JSON.stringify(input)}: the door is blue.`,
  },
]);
omp.on("tool_execution_start", ({ toolName }) => console.log(`uses ${toolName}`));
await omp.prompt("What does ticket 7 say?");
await omp.waitForIdle();
console.log((await omp.getLastAssistantText()).text);
await omp.stop();
