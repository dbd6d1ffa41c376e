/** What the vendor must get back with its own thoughts and texts, as the signatures of our blocks. */

import { ignore } from "@omp/std";

/** A reasoning item: the sealed thought, and its summary as the vendor wrote it. */
export interface Thought {
  readonly type: "reasoning";
  readonly id?: string;
  readonly summary: readonly object[];
  readonly content?: readonly object[];
  readonly encrypted_content?: string;
}

export interface TextLabels {
  readonly id?: string;
  /** Whether the text goes along with the work, or is its result. */
  readonly phase?: string;
}

/** Empty where the server did not send the thought itself: a bare id means nothing when nothing is stored. */
export function thoughtSignature(item: Partial<Thought>): string {
  const { id, summary = [], content = [], encrypted_content } = item;
  if (!encrypted_content && content.length === 0) return "";
  return JSON.stringify({
    type: "reasoning",
    ...(id && { id }),
    summary,
    ...(content.length > 0 && { content }),
    ...(encrypted_content && { encrypted_content }),
  } satisfies Thought);
}

export function readThought(signature: string | undefined): Thought | undefined {
  const read = objectIn(signature);
  const isThought = read?.["type"] === "reasoning" && Array.isArray(read["summary"]);
  return isThought ? (read as unknown as Thought) : undefined;
}

const VERSION = 1;

export function textSignature({ id, phase }: TextLabels): string {
  return id ? JSON.stringify({ v: VERSION, id, ...(phase && { phase }) }) : "";
}

export function readText(signature: string | undefined): TextLabels {
  const read = objectIn(signature);
  if (read?.["v"] !== VERSION) return {};
  const { id, phase } = read;
  return {
    ...(typeof id === "string" && { id }),
    ...(typeof phase === "string" && { phase }),
  };
}

/** Signatures are read from session files, where anything may stand. */
function objectIn(signature: string | undefined): Record<string, unknown> | undefined {
  if (!signature?.startsWith("{")) return undefined;
  try {
    return JSON.parse(signature) as Record<string, unknown>;
  } catch (error) {
    ignore(error, "a signature of another API, or a broken one: both say nothing to this one");
    return undefined;
  }
}
