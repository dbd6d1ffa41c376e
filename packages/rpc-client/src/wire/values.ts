/** Values that travel in both directions. */

import type { HostToolSpec } from "@omp/engine/protocol";

export interface RpcImage {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface RpcText {
  readonly type: "text";
  readonly text: string;
}

/** What a tool of the host gives back, in part or as a whole. */
export interface RpcToolOutput {
  readonly content: readonly (RpcText | RpcImage)[];
  /** For people and exports; the model does not see it. */
  readonly details?: unknown;
}

export type RpcToolSpec = HostToolSpec;

export interface RpcTodoPhase {
  readonly id?: string;
  readonly name: string;
  readonly tasks: readonly {
    readonly id?: string;
    readonly content: string;
    readonly status: string;
  }[];
}
