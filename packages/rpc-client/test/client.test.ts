/** The client against the real omp of this checkout and a scripted model. */

import {
  callTool,
  cleanEnvironment,
  say,
  scriptedModel,
  turn,
  workspace,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { createRpcClient, RpcError, type RpcClientOptions } from "@omp/rpc-client";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const launcher = join(import.meta.dir, "../../app/bin/omp.mjs");

function clientFor(place: Workspace, model: ScriptedModel, options: RpcClientOptions = {}) {
  return createRpcClient({
    command: [launcher],
    cwd: place.path,
    env: cleanEnvironment(place.home, model.environment()),
    ...options,
  });
}

test("RPC-58 starts omp, matches answers, forwards events and runs the tools it was given", async () => {
  await using model = await scriptedModel([
    turn(say("I ask."), callTool("ticket", { id: "7" })),
    turn(callTool("ticket", { id: "none" })),
    turn(say("The door is blue.")),
  ]);
  await using place = await workspace();
  const client = clientFor(place, model, { args: ["--yolo"] });
  await client.start();
  const seen: string[] = [];
  client.onEvent(({ type }) => seen.push(type));
  const partials: unknown[] = [];
  client.on("tool_execution_update", ({ partialResult }) => partials.push(partialResult));
  const names = await client.setCustomTools([
    {
      name: "ticket",
      label: "Ticket",
      description: "Reads a ticket",
      parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      async run(input, { update }) {
        update({ content: [{ type: "text", text: "looking" }] });
        if ((input as { id: string }).id === "none") throw new Error("no such ticket");
        return "blue";
      },
    },
  ]);
  expect(names).toEqual(["ticket"]);
  await client.prompt("What about ticket 7?");
  expect((await client.getState()).isStreaming).toBe(true);
  await client.waitForIdle();
  expect(await client.getLastAssistantText()).toEqual({ text: "The door is blue." });
  expect(partials).toHaveLength(2);
  expect(JSON.stringify(model.requests[1]!.body)).toContain("blue");
  expect(JSON.stringify(model.requests[2]!.body)).toContain("no such ticket");
  expect([seen[0], seen.at(-1)]).toEqual(["agent_start", "agent_end"]);
  await client.stop();
  await expect(client.getState()).rejects.toThrow("omp is not started");
}, 30_000);

test("failures reject with the command and the sentence; a prompt that cannot start fails the wait", async () => {
  await using model = await scriptedModel([turn(say("fine"))]);
  await using place = await workspace();
  const client = clientFor(place, model);
  await client.start();
  const failure = await client.setModel("p", "m").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RpcError);
  expect(failure).toMatchObject({ command: "set_model", message: "Model not found: p/m" });
  await client.prompt("look", { images: [{ type: "image", data: "bm8=", mimeType: "image/png" }] });
  await expect(client.waitForIdle()).rejects.toThrow(/image/i);
  await client.prompt("go");
  await client.waitForIdle();
  await client.stop();
}, 30_000);

test("an omp that cannot start, or that dies, fails everything that waits", async () => {
  await using model = await scriptedModel([
    turn(say("...")).with({ fault: { kind: "silence", atByte: 10 } }),
  ]);
  await using place = await workspace();
  const wrong = clientFor(place, model, { args: ["--model", "nobody/nothing"] });
  await expect(wrong.start()).rejects.toThrow(/ended with exit code 1: Error: .*nobody\/nothing/);
  const nowhere = clientFor(place, model, { command: [join(place.path, "no-such-omp")] });
  await expect(nowhere.start()).rejects.toThrow("cannot be started");
  const client = clientFor(place, model);
  await client.start();
  await client.prompt("hang");
  const waiting = client.waitForIdle();
  await client.stop();
  await waiting;
  const dying = ["bash", "-c", `echo '{"type":"ready"}'; read line; echo sorry >&2; exit 7`];
  const mortal = clientFor(place, model, { command: dying });
  await mortal.start();
  await expect(mortal.getState()).rejects.toThrow("omp ended with exit code 7: sorry");
}, 30_000);

test("questions go to the handler; abort_and_prompt is idle only after its own run", async () => {
  const hang = turn(say("...")).with({ fault: { kind: "silence", atByte: 900 } });
  await using model = await scriptedModel([
    turn(callTool("write", { path: "a.txt", content: "x" })),
    turn(say("written")),
    ...[hang, turn(say("anew"))],
  ]);
  await using place = await workspace();
  const asked: string[] = [];
  const client = clientFor(place, model, {
    args: ["--approval-mode", "always-ask"],
    ui: {
      ask(question) {
        asked.push(question.title);
        return { confirmed: true };
      },
    },
  });
  await client.start();
  await client.prompt("write it");
  await client.waitForIdle();
  expect(asked).toEqual(["Allow tool: write"]);
  expect(place.exists("a.txt")).toBe(true);
  await client.prompt("hang");
  await model.waitForRequest(3);
  await client.abortAndPrompt("again");
  await client.waitForIdle();
  expect(await client.getLastAssistantText()).toEqual({ text: "anew" });
  await client.stop();
}, 30_000);

test("the example of the README runs as it stands there", async () => {
  const example = readFileSync(join(import.meta.dir, "example.ts"), "utf8");
  const readme = readFileSync(join(import.meta.dir, "../README.md"), "utf8");
  const [, ...code] = example.split("\n\n");
  expect(readme).toContain(code.join("\n\n"));
  await using model = await scriptedModel([
    turn(callTool("ticket", { id: "7" })),
    turn(say("It says that the door is blue.")),
  ]);
  await using place = await workspace();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "example.ts"), launcher], {
    cwd: place.path,
    env: cleanEnvironment(place.home, model.environment()),
    stdout: "pipe",
  });
  expect(await child.stdout.text()).toBe("uses ticket\nIt says that the door is blue.\n");
  expect(await child.exited).toBe(0);
}, 30_000);
