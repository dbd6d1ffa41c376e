/** Pictures that tools meet: prepared for models, or described. What does it is loaded with the first one. */

import { ToolFailure } from "@omp/agent";
import { lazy } from "@omp/std";
import type { PictureFacts, Pictures } from "@omp/tools";

export interface ToolPicturesOptions {
  readonly autoResize: boolean;
  /** Whether the model of now sees pictures. */
  modelSees(): boolean;
}

const MAX_BYTES = 20 * 1024 * 1024;

export function createToolPictures(options: ToolPicturesOptions): Pictures {
  const room = lazy(() => import("./prepare.ts"));
  /** What is wrong with a picture is for the model to hear. */
  const orRefusal = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      const { ImageRefusal } = await room();
      if (!(error instanceof ImageRefusal)) throw error;
      throw new ToolFailure(`${name} ${error.message}`, undefined, { cause: error });
    }
  };
  return {
    maxBytes: MAX_BYTES,
    // Where the settings block images, they are taken out of the requests and told of there.
    areSeen: () => options.modelSees(),
    async isPicture(head) {
      const { imageKind } = await import("./kind.ts");
      const kind = imageKind(head);
      // An SVG is a text first: models read its source, and a coder means that.
      return kind !== undefined && kind.name !== "SVG";
    },
    show: (name, bytes, limits = {}) =>
      orRefusal(name, async () => {
        const { enlarged, prepareImage } = await room();
        const fitting = await prepareImage(bytes, { autoResize: options.autoResize, ...limits });
        const prepared = options.autoResize ? await enlarged(fitting) : fitting;
        const { mimeType, original, shown } = prepared;
        const data = prepared.bytes.toBase64();
        return { image: { type: "image", data, mimeType }, original, shown };
      }),
    describe: (name, bytes) => orRefusal(name, () => facts(bytes)),
  };
}

async function facts(bytes: Uint8Array): Promise<PictureFacts> {
  const { measureImage } = await import("./prepare.ts");
  const { channelsOf } = await import("./channels.ts");
  return { ...(await measureImage(bytes)), ...channelsOf(bytes) };
}
