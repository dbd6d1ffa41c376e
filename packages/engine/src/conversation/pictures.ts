/** What becomes of pictures that come with a prompt; the room of images makes one. */

import type { ImageBlock } from "@omp/ai/schema";

export interface Pictures {
  readonly maxBytes: number;
  /** Whether a file that begins like this is attached as a picture. */
  isPicture(head: Uint8Array): boolean;
  /** @throws UserError that names the file and the reason */
  attach(
    path: string,
    bytes: Uint8Array,
  ): Promise<{ readonly image: ImageBlock; readonly note: string }>;
}
