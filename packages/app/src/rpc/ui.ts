/** The person behind the client: questions and notices of the engine as `extension_ui_request` frames. */

import type { UiPart, UiPort, UiReply, UiRequest } from "@omp/engine/protocol";
import type { OutFrame, UiFrame } from "@omp/rpc-client/wire";
import type { Clock } from "@omp/std";

export interface WireUi {
  readonly port: UiPort;
  /** Of an `extension_ui_response`. One that nobody waits for is ignored. */
  answer(fields: Readonly<Record<string, unknown>>): void;
  /** The client is gone: every question has its default. */
  close(): void;
}

export interface WireUiDeps {
  readonly clock: Clock;
  /** PI_RPC_EMIT_TITLE: most hosts have no place for a title. */
  readonly emitsTitle: boolean;
  send(frame: OutFrame): void;
  /** Before a question. */
  onAsk(): void;
}

type Body = UiFrame extends infer One
  ? One extends unknown
    ? Omit<One, "type" | "id">
    : never
  : never;
type Answer = Readonly<Record<string, unknown>>;

export function createWireUi({ clock, emitsTitle, send, onAsk }: WireUiDeps): WireUi {
  const waiting = new Map<string, (answer: Answer | undefined) => void>();
  let count = 0;
  let isClosed = false;

  const tell = (body: Body): string => {
    const id = `ui_${++count}`;
    // The body has all that its method needs; TypeScript cannot put the union together again.
    send({ type: "extension_ui_request", id, ...body } as UiFrame);
    return id;
  };

  function ask(request: UiRequest, signal: AbortSignal): Promise<UiReply> {
    if (isClosed || signal.aborted) return Promise.resolve(undefined);
    onAsk();
    const { promise, resolve } = Promise.withResolvers<UiReply>();
    const id = tell(questionOf(request));
    const giveUp = () => {
      tell({ method: "cancel", targetId: id });
      settle(undefined);
    };
    const timeout = "timeoutMs" in request ? request.timeoutMs : undefined;
    const callOff = timeout === undefined ? undefined : clock.after(timeout, giveUp);
    const settle = (answer: Answer | undefined) => {
      waiting.delete(id);
      callOff?.();
      signal.removeEventListener("abort", giveUp);
      resolve(answer && replyOf(request, answer));
    };
    waiting.set(id, settle);
    signal.addEventListener("abort", giveUp);
    return promise;
  }

  return {
    port: {
      request: ask,
      tell: ({ level, text }) => void tell({ method: "notify", message: text, notifyType: level }),
      show(part) {
        if (part.kind === "title" && !emitsTitle) return;
        tell(tellingOf(part));
      },
    },
    answer(fields) {
      const { id } = fields;
      if (typeof id === "string") waiting.get(id)?.(fields);
    },
    close() {
      isClosed = true;
      for (const settle of [...waiting.values()]) settle(undefined);
    },
  };
}

function questionOf(request: UiRequest): Body {
  const { title } = request;
  switch (request.kind) {
    case "approve":
      return { method: "confirm", title, message: request.lines.join("\n") };
    case "trust":
      return {
        method: "confirm",
        title,
        message:
          request.message ?? request.items.map(({ kind, path }) => `${kind}: ${path}`).join("\n"),
      };
    case "confirm":
      return { method: "confirm", title, message: request.message, ...timeoutOf(request) };
    case "select":
      return { method: "select", title, options: request.options, ...timeoutOf(request) };
    case "input": {
      const { placeholder } = request;
      const hint = placeholder === undefined ? {} : { placeholder };
      return { method: "input", title, ...hint, ...timeoutOf(request) };
    }
    case "editor":
      return {
        method: "editor",
        title,
        ...(request.text === undefined ? {} : { prefill: request.text }),
      };
  }
}

function timeoutOf({ timeoutMs }: { readonly timeoutMs?: number }): { readonly timeout?: number } {
  return timeoutMs === undefined ? {} : { timeout: timeoutMs };
}

/** An answer of the wrong form is none: nothing may be allowed by a mistake. */
function replyOf(request: UiRequest, { value, confirmed, cancelled }: Answer): UiReply {
  if (cancelled === true) return undefined;
  const { kind } = request;
  switch (kind) {
    case "approve":
    case "confirm":
    case "trust":
      return typeof confirmed === "boolean" ? { kind, accepted: confirmed } : undefined;
    case "select":
      return typeof value === "string" && request.options.includes(value)
        ? { kind, value }
        : undefined;
    case "input":
    case "editor":
      return typeof value === "string" ? { kind, value } : undefined;
  }
}

function tellingOf(part: UiPart): Body {
  switch (part.kind) {
    case "status": {
      const text = part.text === undefined ? {} : { statusText: part.text };
      return { method: "setStatus", statusKey: part.key, ...text };
    }
    case "widget": {
      const lines = part.lines === undefined ? {} : { widgetLines: part.lines };
      return { method: "setWidget", widgetKey: part.key, ...lines };
    }
    case "title":
      return { method: "setTitle", title: part.title };
    case "editor-text":
      return { method: "set_editor_text", text: part.text };
  }
}
