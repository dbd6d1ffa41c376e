/** RPC mode of the built binary: what can be asked about state, models and sessions. */

import { callTool, readJsonl, say, scriptedModel, turn, workspace } from "@omp/testkit";
import Ajv from "ajv";
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { startRpc, textIn, type Frame } from "./stage.ts";

const text = { type: "string" };
const flag = { type: "boolean" };
const queueMode = { enum: ["all", "one-at-a-time"] };
const members = {
  model: { type: "object", required: ["provider", "id"] },
  thinkingLevel: { enum: ["off", "minimal", "low", "medium", "high", "xhigh"] },
  isStreaming: flag,
  isCompacting: flag,
  steeringMode: queueMode,
  followUpMode: queueMode,
  interruptMode: { enum: ["immediate", "wait"] },
  sessionFile: text,
  sessionId: text,
  sessionName: text,
  autoCompactionEnabled: flag,
  messageCount: { type: "integer" },
  queuedMessageCount: { type: "integer" },
  todoPhases: { type: "array" },
  systemPrompt: text,
  dumpTools: {
    type: "array",
    minItems: 1,
    items: {
      type: "object",
      required: ["name", "description", "parameters"],
      properties: { name: text, description: text, parameters: { type: "object" } },
      additionalProperties: false,
    },
  },
};

test("RPC-27 get_state has all its members, of the right types", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.prompt("hi");
  await rpc.ask({ type: "set_session_name", name: "My work" });
  const { data } = await rpc.ask({ type: "get_state" });
  const validate = new Ajv().compile({
    type: "object",
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  });
  expect(validate(data) || validate.errors).toBe(true);
  expect(Object.keys(members)).toHaveLength(16);
  expect(data).toMatchObject({
    isStreaming: false,
    sessionName: "My work",
    messageCount: 2,
    queuedMessageCount: 0,
  });
  const [header] = (await readJsonl(data.sessionFile)) as Frame[];
  expect(JSON.stringify(await readJsonl(data.sessionFile))).toContain(data.sessionId);
  expect(header).toBeDefined();
});

test("RPC-18 a session gets a name, and an empty one is refused", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.ask({ type: "set_session_name", name: "kept" });
  for (const name of ["", "  "]) {
    expect(await rpc.ask({ type: "set_session_name", name })).toMatchObject({
      success: false,
      error: "Session name cannot be empty",
    });
  }
  expect((await rpc.ask({ type: "get_state" })).data.sessionName).toBe("kept");
});

test("RPC-17 RPC-31 models are listed, set and cycled; an unknown one is named", async () => {
  await using model = await scriptedModel([turn(say("hi"))]);
  await using place = await workspace();
  const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = model.environment();
  const only = { ANTHROPIC_API_KEY: ANTHROPIC_API_KEY!, ANTHROPIC_BASE_URL: ANTHROPIC_BASE_URL! };
  await using rpc = await startRpc(place, only);
  expect(await rpc.ask({ type: "set_model", provider: "p", modelId: "m" })).toMatchObject({
    success: false,
    error: "Model not found: p/m",
  });
  const { models } = (await rpc.ask({ type: "get_available_models" })).data;
  const providers = new Set(models.map(({ provider }: { provider: string }) => provider));
  expect([...providers].filter((provider) => provider !== "demo")).toEqual(["anthropic"]);
  const chosen = { type: "set_model", provider: "anthropic", modelId: "claude-haiku-4-5" };
  expect((await rpc.ask(chosen)).data).toMatchObject({ id: "claude-haiku-4-5" });
  const current = async () => (await rpc.ask({ type: "get_state" })).data.model.id;
  expect(await current()).toBe("claude-haiku-4-5");
  await rpc.prompt("hi");
  expect((model.requests[0]!.body as { model: string }).model).toBe("claude-haiku-4-5");
  const { data } = await rpc.ask({ type: "cycle_model" });
  expect(Object.keys(data)).toEqual(["model", "thinkingLevel", "isScoped"]);
  expect(await current()).toBe(data.model.id);
  expect(data.model.id).not.toBe("claude-haiku-4-5");
});

test("RPC-32 thinking levels are set, made to fit and cycled", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), {
    args: ["--model", "anthropic/claude-haiku-4-5"],
  });
  const level = async () => (await rpc.ask({ type: "get_state" })).data.thinkingLevel;
  for (const wanted of ["off", "minimal", "low", "medium", "high"]) {
    expect((await rpc.ask({ type: "set_thinking_level", level: wanted })).success).toBe(true);
    expect(await level()).toBe(wanted);
  }
  // This model has no such level.
  expect((await rpc.ask({ type: "set_thinking_level", level: "xhigh" })).data).toEqual({
    level: "high",
  });
  expect(await level()).toBe("high");
  const { data } = await rpc.ask({ type: "cycle_thinking_level" });
  expect(data).toEqual({ level: "off" });
  expect(await level()).toBe("off");
  await rpc.ask({ type: "set_model", provider: "openai", modelId: "gpt-4.1" });
  expect((await rpc.ask({ type: "cycle_thinking_level" })).data).toBeNull();
});

test("RPC-38 EXP-15 each session command answers what the file says", async () => {
  await using model = await scriptedModel([
    turn(say("Looking."), callTool("read", { path: "a.txt" })),
    turn(say("It says hello.")),
    turn(say("Second answer.")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  await using rpc = await startRpc(place, model.environment());
  expect((await rpc.ask({ type: "get_last_assistant_text" })).data).toEqual({ text: null });
  await rpc.prompt("what does it say?");
  await rpc.prompt("and now?");
  const { sessionFile, sessionId } = (await rpc.ask({ type: "get_state" })).data;
  const entries = (await readJsonl(sessionFile)) as Frame[];
  const stored = entries.filter(({ type }) => type === "message");
  const { messages } = (await rpc.ask({ type: "get_messages" })).data;
  expect(messages).toEqual(stored.map(({ message }) => message));
  expect((await rpc.ask({ type: "get_last_assistant_text" })).data).toEqual({
    text: "Second answer.",
  });
  expect((await rpc.ask({ type: "get_session_stats" })).data).toMatchObject({
    sessionFile,
    sessionId,
    userMessages: 2,
    assistantMessages: 3,
    toolCalls: 1,
    toolResults: 1,
    totalMessages: 6,
  });
  const asked = stored.filter(({ message }) => message.role === "user");
  const points = (await rpc.ask({ type: "get_branch_messages" })).data.messages;
  expect(points).toEqual([
    { entryId: asked[0]!.id, text: "what does it say?" },
    { entryId: asked[1]!.id, text: "and now?" },
  ]);
  const page = await rpc.ask({ type: "export_html", outputPath: "out.html" });
  expect(page.data).toEqual({ path: join(place.path, "out.html") });
  expect(await place.read("out.html")).toStartWith("<!doctype html>");
  const unnamed = await rpc.ask({ type: "export_html" });
  expect(await Bun.file(unnamed.data.path).text()).toStartWith("<!doctype html>");
  const copy = await rpc.ask({ type: "export_markdown", outputPath: "out.md" });
  expect(await Bun.file(copy.data.path).text()).toContain("It says hello.");
  expect((await rpc.ask({ type: "get_entries" })).data.entries.length).toBeGreaterThan(5);
  expect((await rpc.ask({ type: "get_tree" })).data.leafId).toBe(stored.at(-1)!.id);

  const branched = await rpc.ask({ type: "branch", entryId: asked[1]!.id });
  expect(branched.data).toMatchObject({ text: "and now?", cancelled: false });
  const after = (await rpc.ask({ type: "get_state" })).data;
  expect(after.sessionId).not.toBe(sessionId);
  expect(after.messageCount).toBe(4);
  const back = await rpc.ask({ type: "switch_session", sessionPath: sessionFile });
  expect(back.data).toEqual({ cancelled: false });
  expect((await rpc.ask({ type: "get_state" })).data).toMatchObject({ sessionId, messageCount: 6 });
});

test("RPC-39 answers have the members that clients look for", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.prompt("hi");
  const { sessionFile } = (await rpc.ask({ type: "get_state" })).data;
  const { messages } = (await rpc.ask({ type: "get_branch_messages" })).data;
  const wanted: readonly (readonly [object, readonly string[]])[] = [
    [{ type: "get_available_models" }, ["models"]],
    [{ type: "get_messages" }, ["messages"]],
    [{ type: "get_branch_messages" }, ["messages"]],
    [{ type: "get_last_assistant_text" }, ["text"]],
    [{ type: "cycle_model" }, ["model", "thinkingLevel"]],
    [{ type: "set_model", provider: "anthropic", modelId: "claude-haiku-4-5" }, ["provider", "id"]],
    [{ type: "cycle_thinking_level" }, ["level"]],
    [{ type: "bash", command: "true" }, ["output", "exitCode", "cancelled", "truncated"]],
    [{ type: "export_html" }, ["path"]],
    [{ type: "branch", entryId: messages[0].entryId }, ["text", "cancelled"]],
    [{ type: "switch_session", sessionPath: sessionFile }, ["cancelled"]],
    [{ type: "new_session" }, ["cancelled"]],
  ];
  for (const [command, members] of wanted) {
    const { data } = await rpc.ask(command);
    expect(Object.keys(data)).toEqual(expect.arrayContaining([...members]));
  }
});

test("models are told without headers and without the user of an address", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  const address = model.url.replace("http://", "http://user:canary-1@");
  await place.write(
    "../home/.omp/agent/models.yml",
    `providers:
  mine:
    baseUrl: ${address}
    api: openai-completions
    apiKey: canary-2
    headers: { x-team: canary-3 }
    models:
      - { id: own, headers: { x-secret: "canary-4" } }
`,
  );
  await using rpc = await startRpc(place, model.environment(), { args: ["--model", "mine/own"] });
  const { data } = await rpc.ask({ type: "get_state" });
  expect(data.model).toMatchObject({ provider: "mine", id: "own", baseUrl: `${model.url}/` });
  await rpc.ask({ type: "get_available_models" });
  await rpc.ask({ type: "set_model", provider: "mine", modelId: "own" });
  await rpc.ask({ type: "cycle_model" });
  expect((await rpc.end()).stdout).not.toContain("canary");
});

test("RPC-25 a new session is empty and says where it comes from", async () => {
  await using model = await scriptedModel([turn(say("one")), turn(say("two"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.prompt("hi");
  const before = (await rpc.ask({ type: "get_state" })).data;
  expect((await rpc.ask({ type: "new_session", parentSession: before.sessionFile })).data).toEqual({
    cancelled: false,
  });
  const state = (await rpc.ask({ type: "get_state" })).data;
  expect(state.messageCount).toBe(0);
  expect(state.sessionId).not.toBe(before.sessionId);
  await rpc.prompt("again");
  const header = ((await readJsonl(state.sessionFile)) as Frame[]).find(
    ({ type }) => type === "session",
  );
  expect(header).toMatchObject({ id: state.sessionId, parentSession: before.sessionFile });
  expect(dirname(state.sessionFile)).toBe(join(dirname(before.sessionFile)));
});

test("RPC-12 commands sent in one go are done in their order", async () => {
  await using model = await scriptedModel([turn(say("hi"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.send(
    [
      { id: "1", type: "set_model", provider: "anthropic", modelId: "claude-haiku-4-5" },
      { id: "2", type: "set_thinking_level", level: "low" },
      { id: "3", type: "get_state" },
      { id: "4", type: "prompt", message: "hello" },
      { id: "5", type: "get_state" },
    ]
      .map((command) => JSON.stringify(command))
      .join("\n"),
  );
  await rpc.untilType("agent_end");
  const answers = rpc.frames().filter(({ type }) => type === "response");
  expect(answers.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
  expect(answers[2]!["data"]).toMatchObject({
    model: { id: "claude-haiku-4-5" },
    thinkingLevel: "low",
  });
  expect(answers[4]!["data"].isStreaming).toBe(true);
  for (const answer of answers) {
    expect(
      Object.keys(answer).every((key) =>
        ["id", "type", "command", "success", "data"].includes(key),
      ),
    ).toBe(true);
  }
  expect(textIn(rpc.frames().findLast(({ type }) => type === "message_end")!["message"])).toBe(
    "hi",
  );
});
