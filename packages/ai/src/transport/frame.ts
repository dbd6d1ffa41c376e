/** What a transport hands to a protocol: one unit of the stream, already cut out of the bytes. */

export interface Frame {
  /** The name the sender gave the frame, where the format has one. */
  readonly event?: string;
  readonly data: string;
  /** The sender says that this is an error, where the format has a place to say so. */
  readonly isError?: boolean;
}

/**
 * Cuts a body into frames. One for each wire format: server-sent events, JSON lines, AWS event stream.
 * Those of one chunk may come together: handing over each of them costs more than reading it.
 */
export type Framing = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Frame | readonly Frame[]>;
