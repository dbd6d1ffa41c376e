/** `omp demo`: the real loop, tools and session on a scripted model, told as plain text. */

import { boot, pathsOf } from "@omp/engine/boot";
import type { EngineEvent } from "@omp/engine/protocol";
import { sanitize } from "@omp/std";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { watchSignals } from "../headless/signals.ts";
import { absentUi } from "../headless/ui.ts";
import { createDemoProject } from "./project.ts";
import { demoProvider } from "./provider.ts";

const PROMPT = "The tests of this project fail. Find out why, mend it, and show that they pass.";
const SHOWN_LINES = 8;

export const runDemo: CommandRun = async (_invocation, { home, environment }) => {
  const cwd = createDemoProject(pathsOf(environment, home).demo);
  const engine = await boot({
    cwd,
    home,
    environment,
    ui: absentUi,
    session: { kind: "new" },
    model: { model: "demo/scripted", thinking: "off" },
    extraProviders: [demoProvider],
    // The folder is our own, made a moment ago: everything may run in it, whatever the user's settings say.
    settings: { "tools.approvalMode": "yolo" },
  });
  const abort = () => void engine.dispatch({ type: "abort" });
  const output = createOutput(abort);
  const print = (text: string) => output.write(sanitize(text));
  using signals = watchSignals(abort);
  try {
    print(introduction(cwd, engine.snapshot().session.file));
    engine.subscribe((event) => print(narrate(event)));
    const { stopReason } = await engine.dispatch({ type: "prompt", text: PROMPT });
    if (stopReason === "stop") print(closing(cwd));
    await output.flush();
    return signals.exitCode() ?? (stopReason === "stop" ? 0 : 1);
  } finally {
    await engine[Symbol.asyncDispose]();
  }
};

function introduction(cwd: string, sessionFile: string | undefined): string {
  return [
    "omp demo: the whole agent on a built-in scripted model. No key, no network.",
    "The tools, the shell, the files and the session are real.",
    "",
    `Project  ${cwd}`,
    `Session  ${sessionFile ?? "in memory"}`,
    "",
    `> ${PROMPT}`,
    "",
  ].join("\n");
}

function narrate(event: EngineEvent): string {
  switch (event.type) {
    case "message_update": {
      const { assistantMessageEvent } = event;
      if (assistantMessageEvent.type === "text_start") return "\n";
      if (assistantMessageEvent.type === "text_end") return "\n";
      return assistantMessageEvent.type === "text_delta" ? assistantMessageEvent.delta : "";
    }
    case "tool_execution_start":
      return `\n  ${event.toolName} ${callSummary(event.args)}\n`;
    case "tool_execution_end":
      return shown(
        event.result.content.map((block) => (block.type === "text" ? block.text : "[image]")),
      );
    default:
      return "";
  }
}

function callSummary(args: unknown): string {
  const { command, path, input } = args as { command?: string; path?: string; input?: string };
  const edited = input === undefined ? undefined : /^¶(.*)#/.exec(input)?.[1];
  return command ?? path ?? edited ?? JSON.stringify(args);
}

function shown(texts: readonly string[]): string {
  const lines = texts.join("\n").trimEnd().split("\n");
  const kept = lines.slice(0, SHOWN_LINES);
  if (lines.length > kept.length) kept.push(`... ${lines.length - kept.length} more lines`);
  return kept.map((line) => `    ${line}\n`).join("");
}

function closing(cwd: string): string {
  return `
What happened: the agent ran the tests, read the program, changed it, and ran the tests again.
Every step is in the session file above. To go on with it:

  cd ${cwd} && omp --continue -p "Go on"

To connect a real model, set a key and ask in your own project:

  export ANTHROPIC_API_KEY=...   (or OPENAI_API_KEY)
  omp -p "What does this project do?"
`;
}
