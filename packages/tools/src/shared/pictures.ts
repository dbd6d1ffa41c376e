/** What becomes of pictures that a tool meets; the house makes one. */

import type { ToolOutput } from "@omp/agent";

type ImageBlock = Extract<ToolOutput["content"][number], { readonly type: "image" }>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ShownPicture {
  readonly image: ImageBlock;
  readonly original: Size;
  /** Smaller or larger where it was made to fit. */
  readonly shown: Size;
}

export interface PictureFacts extends Size {
  readonly mimeType: string;
  readonly channels: number | undefined;
  readonly hasAlpha: boolean | undefined;
}

export interface Pictures {
  readonly maxBytes: number;
  /** Whether the model of now sees pictures. */
  areSeen(): boolean;
  isPicture(head: Uint8Array): Promise<boolean>;
  /** @throws ToolFailure that names it and the reason */
  show(
    name: string,
    bytes: Uint8Array,
    limits?: {
      /** What it should not be larger than, if it can be made so small. */
      readonly maxBytes?: number;
    },
  ): Promise<ShownPicture>;
  /** @throws ToolFailure */
  describe(name: string, bytes: Uint8Array): Promise<PictureFacts>;
}
