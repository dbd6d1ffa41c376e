/** Wire commands that look at the state, and those about tools of the host. */

import type { Snapshot } from "@omp/engine/protocol";
import type { RpcState } from "@omp/rpc-client/wire";
import { UserError } from "@omp/std";
import { publicModel } from "../public-model.ts";
import { aside, done, inTurn, type Desk, type WireTable } from "./command.ts";

type Names =
  | "get_state"
  | "get_messages"
  | "get_last_assistant_text"
  | "get_commands"
  | "set_todos"
  | "set_host_tools"
  | "compact"
  | "set_auto_compaction";

export const stateCommands: WireTable<Names> = {
  get_state: inTurn((_, desk) => () => Promise.resolve(stateOf(desk))),
  get_messages: inTurn(
    (_, { engine }) =>
      () =>
        Promise.resolve({ messages: engine.snapshot().session.messages }),
  ),
  get_last_assistant_text: inTurn(
    (_, { engine }) =>
      () =>
        Promise.resolve({ text: lastAnswer(engine.snapshot()) }),
  ),
  get_commands: inTurn((_, { engine }) => async () => ({
    commands: await engine.dispatch({ type: "list_slash_commands" }),
  })),
  set_host_tools: inTurn((fields, { engine }) => {
    const tools = fields.objects("tools").map((tool) => ({
      name: tool.text("name"),
      label: tool.optionalText("label") ?? tool.text("name"),
      description: tool.text("description"),
      parameters: tool.object("parameters"),
    }));
    return async () => ({ toolNames: await engine.dispatch({ type: "set_host_tools", tools }) });
  }),
  set_todos: notBuilt("todo lists"),
  compact: aside((fields, { engine }) => {
    const instructions = fields.optionalText("customInstructions");
    const wish = instructions === undefined ? {} : { instructions };
    return async () => {
      const result = await engine.dispatch({ type: "compact", ...wish });
      if (result.cancelled) throw new UserError("session", "Compaction cancelled");
      const { cancelled: _, ...made } = result;
      return made;
    };
  }),
  set_auto_compaction: inTurn((fields, { engine }) => {
    const enabled = fields.flag("enabled");
    return () => done(engine.dispatch({ type: "set_auto_compaction", enabled }));
  }),
};

/** Better a clear refusal than a success that changed nothing. */
function notBuilt(what: string) {
  return inTurn<never>(() => {
    throw new UserError("unsupported", `This version of omp has no ${what} yet.`);
  });
}

function stateOf({ engine, run }: Desk): RpcState {
  const snapshot = engine.snapshot();
  const { session, queue } = snapshot;
  const { title } = session.header;
  return {
    model: publicModel(snapshot.model),
    thinkingLevel: snapshot.thinkingLevel,
    isStreaming: snapshot.isRunning && !run.isEnding,
    isCompacting: snapshot.isCompacting,
    steeringMode: snapshot.steeringMode,
    followUpMode: snapshot.followUpMode,
    interruptMode: snapshot.interruptMode,
    ...(session.file === undefined ? {} : { sessionFile: session.file }),
    sessionId: session.header.id,
    ...(title === undefined ? {} : { sessionName: title }),
    autoCompactionEnabled: snapshot.isAutoCompactionEnabled,
    messageCount: session.messages.length,
    queuedMessageCount: queue.steering.length + queue.followUp.length,
    todoPhases: [],
    systemPrompt: snapshot.systemPrompt,
    dumpTools: snapshot.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    })),
  };
}

function lastAnswer({ session }: Snapshot): string | null {
  for (const message of session.messages.toReversed()) {
    if (message.role !== "assistant") continue;
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    if (text !== "") return text;
  }
  return null;
}
