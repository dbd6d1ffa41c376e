/** The two pipes to the client, and what speaks over them besides commands. */

import type { OutFrame } from "@omp/rpc-client/wire";
import type { Clock } from "@omp/std";
import { parseFailure, type Answering } from "./answering.ts";
import { MAX_LINE_BYTES, readFrame, type Frame } from "./frame.ts";
import { createWireHostTools, type WireHostTools } from "./host-tools.ts";
import { createInput, type Input } from "./input.ts";
import { linesOf } from "./lines.ts";
import { Outbox } from "./outbox.ts";
import { createWireUi, type WireUi } from "./ui.ts";

export interface Connection {
  readonly input: Input;
  readonly outbox: Outbox;
  readonly ui: WireUi;
  readonly hostTools: WireHostTools;
  send(frame: OutFrame): void;
  /** Nothing more is read. */
  end(): void;
}

/** A client that sends and never reads is not listened to until it does. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

export function createConnection(
  clock: Clock,
  environment: Readonly<Record<string, string | undefined>>,
): Connection {
  const input = createInput(Bun.stdin.stream());
  const outbox = new Outbox({ clock, write: stdoutWriter(), onClosed: () => input.end() });
  const send = (frame: OutFrame) => outbox.send(frame);
  const ui = createWireUi({
    clock,
    emitsTitle: isYes(environment["PI_RPC_EMIT_TITLE"]),
    send,
    // A question of the start cannot wait for its end.
    onAsk: () => outbox.ready(),
  });
  return { input, outbox, ui, hostTools: createWireHostTools(send), send, end: () => input.end() };
}

/** Resolves when the client has nothing more to say, or is not listened to any more. */
export async function listen(connection: Connection, answering: Answering): Promise<void> {
  for await (const line of linesOf(connection.input.chunks, MAX_LINE_BYTES)) {
    const frame = readFrame(line);
    if (frame === undefined) continue;
    if ("problem" in frame) connection.send(parseFailure(frame));
    else deliver(frame, connection, answering);
    await connection.outbox.pipe.below(MAX_WAITING_CHARACTERS);
  }
}

function deliver(frame: Frame, { ui, hostTools }: Connection, answering: Answering): void {
  switch (frame.type) {
    case "extension_ui_response":
      return ui.answer(frame.fields);
    case "host_tool_update":
      return hostTools.update(frame.fields);
    case "host_tool_result":
      return hostTools.result(frame.fields);
    default:
      return answering.take(frame);
  }
}

function stdoutWriter(): (text: string) => Promise<void> {
  const sink = Bun.stdout.writer();
  return async (text) => {
    await sink.write(text);
    await sink.flush();
  };
}

function isYes(value = ""): boolean {
  return !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}
