/** Standard input as a stream that can be ended from here. */

import { ignore } from "@omp/std";

export interface Input {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Nothing more is read. */
  end(): void;
}

export function createInput(stream: ReadableStream<Uint8Array>): Input {
  const reader = stream.getReader();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }
  return {
    chunks: chunks(),
    end: () => void reader.cancel().catch((error) => ignore(error, "the input is closed already")),
  };
}
