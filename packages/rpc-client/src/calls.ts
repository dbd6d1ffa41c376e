/** One method for each command of the wire. Each resolves with the data of the answer, as it is on the wire. */

import type { RpcCommandName, RpcData, RpcFields } from "./wire/index.ts";

/** @throws RpcError when omp answers with a failure or is gone */
export type Ask = <Name extends RpcCommandName>(
  name: Name,
  fields: RpcFields<Name>,
) => Promise<RpcData<Name>>;

type Only<
  Name extends RpcCommandName,
  Field extends keyof RpcFields<Name>,
> = RpcFields<Name>[Field];

export type RpcCalls = ReturnType<typeof createCalls>;

export function createCalls(ask: Ask) {
  return { ...runCalls(ask), ...stateCalls(ask), ...modelCalls(ask), ...sessionCalls(ask) };
}

function runCalls(ask: Ask) {
  return {
    /** Resolves when omp has taken it; `waitForIdle` when the run is over. */
    prompt: (message: string, rest: Omit<RpcFields<"prompt">, "message"> = {}) =>
      ask("prompt", { message, ...rest }),
    steer: (message: string, images?: Only<"steer", "images">) => ask("steer", { message, images }),
    followUp: (message: string, images?: Only<"follow_up", "images">) =>
      ask("follow_up", { message, images }),
    abort: () => ask("abort", {}),
    abortAndPrompt: (message: string, images?: Only<"abort_and_prompt", "images">) =>
      ask("abort_and_prompt", { message, images }),
    clearQueue: () => ask("clear_queue", {}),
    setSteeringMode: (mode: Only<"set_steering_mode", "mode">) =>
      ask("set_steering_mode", { mode }),
    setFollowUpMode: (mode: Only<"set_follow_up_mode", "mode">) =>
      ask("set_follow_up_mode", { mode }),
    setInterruptMode: (mode: Only<"set_interrupt_mode", "mode">) =>
      ask("set_interrupt_mode", { mode }),
    setAutoRetry: (enabled: boolean) => ask("set_auto_retry", { enabled }),
    abortRetry: () => ask("abort_retry", {}),
    bash: (command: string) => ask("bash", { command }),
    abortBash: () => ask("abort_bash", {}),
  };
}

function stateCalls(ask: Ask) {
  return {
    getState: () => ask("get_state", {}),
    getMessages: () => ask("get_messages", {}),
    getLastAssistantText: () => ask("get_last_assistant_text", {}),
    getCommands: () => ask("get_commands", {}),
    setTodos: (phases: Only<"set_todos", "phases">) => ask("set_todos", { phases }),
    /** Only says which tools there are; `setCustomTools` also runs them. */
    setHostTools: (tools: Only<"set_host_tools", "tools">) => ask("set_host_tools", { tools }),
    compact: (customInstructions?: string) => ask("compact", { customInstructions }),
    setAutoCompaction: (enabled: boolean) => ask("set_auto_compaction", { enabled }),
  };
}

function modelCalls(ask: Ask) {
  return {
    setModel: (provider: string, modelId: string) => ask("set_model", { provider, modelId }),
    cycleModel: () => ask("cycle_model", {}),
    getAvailableModels: () => ask("get_available_models", {}),
    setThinkingLevel: (level: Only<"set_thinking_level", "level">) =>
      ask("set_thinking_level", { level }),
    cycleThinkingLevel: () => ask("cycle_thinking_level", {}),
  };
}

function sessionCalls(ask: Ask) {
  return {
    newSession: (parentSession?: string) => ask("new_session", { parentSession }),
    switchSession: (sessionPath: string) => ask("switch_session", { sessionPath }),
    forkSession: () => ask("fork_session", {}),
    branch: (entryId: string) => ask("branch", { entryId }),
    getBranchMessages: () => ask("get_branch_messages", {}),
    moveLeaf: (entryId: string, rest: Omit<RpcFields<"move_leaf">, "entryId"> = {}) =>
      ask("move_leaf", { entryId, ...rest }),
    getTree: () => ask("get_tree", {}),
    getEntries: () => ask("get_entries", {}),
    /** An empty label takes it away. */
    setLabel: (entryId: string, label: string) => ask("set_label", { entryId, label }),
    setSessionName: (name: string) => ask("set_session_name", { name }),
    getSessionStats: () => ask("get_session_stats", {}),
    exportHtml: (outputPath?: string) => ask("export_html", { outputPath }),
    exportMarkdown: (outputPath?: string) => ask("export_markdown", { outputPath }),
  };
}
