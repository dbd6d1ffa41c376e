/** Every line that travels: `OutFrame` from omp to its host, `InFrame` the other way. */

import type { EngineEvent } from "@omp/engine/protocol";
import type { RpcCommandName, RpcFields } from "./commands.ts";
import type { RpcToolOutput } from "./values.ts";

/** Programs in other languages count their requests: numbers come back as they are. */
export type RpcId = string | number;

export type OutFrame =
  { readonly type: "ready" } | RpcResponse | RpcEvent | UiFrame | HostToolFrame | ExtensionError;

export type RpcResponse = {
  readonly type: "response";
  readonly id?: RpcId;
  /** The command's own name; `parse` for a line that is no command at all. */
  readonly command: string;
} & (
  | { readonly success: true; readonly data?: unknown }
  | { readonly success: false; readonly error: string }
);

type Plain = Extract<
  EngineEvent,
  {
    type:
      | "agent_start"
      | "agent_end"
      | "turn_start"
      | "turn_end"
      | "message_start"
      | "message_end"
      | "tool_execution_start"
      | "tool_execution_update"
      | "tool_execution_end"
      | "auto_retry_start"
      | "auto_retry_end"
      | "auto_compaction_start"
      | "auto_compaction_end";
  }
>;
type Update = Extract<EngineEvent, { type: "message_update" }>;
type WithoutPartial<Event> = Event extends unknown ? Omit<Event, "partial"> : never;

/** The message so far stands in `message`; the event in it carries only what is new. */
export type RpcUpdate = Omit<Update, "assistantMessageEvent"> & {
  readonly assistantMessageEvent: WithoutPartial<Update["assistantMessageEvent"]>;
};

export type RpcEvent = Plain | RpcUpdate;

interface OfUi {
  readonly type: "extension_ui_request";
  readonly id: string;
}

interface MayTimeOut {
  /** Milliseconds after which omp goes on without an answer. */
  readonly timeout?: number;
}

/** What waits for an `extension_ui_response`. */
export type UiQuestion = OfUi &
  (
    | ({ readonly method: "select"; title: string; options: readonly string[] } & MayTimeOut)
    | ({ readonly method: "confirm"; title: string; message: string } & MayTimeOut)
    | ({ readonly method: "input"; title: string; placeholder?: string } & MayTimeOut)
    | { readonly method: "editor"; title: string; prefill?: string }
  );

export type UiTelling = OfUi &
  (
    | { readonly method: "notify"; message: string; notifyType: "info" | "warning" | "error" }
    | { readonly method: "setStatus"; statusKey: string; statusText?: string }
    | { readonly method: "setWidget"; widgetKey: string; widgetLines?: readonly string[] }
    | { readonly method: "setTitle"; title: string }
    | { readonly method: "set_editor_text"; text: string }
    /** The question of this id needs no answer any more. */
    | { readonly method: "cancel"; targetId: string }
  );

export type UiFrame = UiQuestion | UiTelling;

export interface HostToolCallFrame {
  readonly type: "host_tool_call";
  readonly id: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
}

export interface HostToolCancelFrame {
  readonly type: "host_tool_cancel";
  readonly id: string;
  readonly targetId: string;
}

export type HostToolFrame = HostToolCallFrame | HostToolCancelFrame;

export interface ExtensionError {
  readonly type: "extension_error";
  readonly extensionPath: string;
  readonly event: string;
  readonly error: string;
}

export type UiAnswer =
  | { readonly value: string }
  | { readonly confirmed: boolean }
  | { readonly cancelled: true; readonly timedOut?: boolean };

export type CommandFrame = {
  [Name in RpcCommandName]: { readonly type: Name; readonly id?: RpcId } & RpcFields<Name>;
}[RpcCommandName];

/** All but commands are never answered. */
export type InFrame =
  | CommandFrame
  | ({ readonly type: "extension_ui_response"; readonly id: string } & UiAnswer)
  | {
      readonly type: "host_tool_update";
      readonly id: string;
      readonly partialResult: RpcToolOutput;
    }
  | {
      readonly type: "host_tool_result";
      readonly id: string;
      readonly result: RpcToolOutput;
      readonly isError?: boolean;
    };
