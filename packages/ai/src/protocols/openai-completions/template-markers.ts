/** Cuts pieces of a chat template (`<|im_end|>`) out of a text that arrives in pieces. */

const MARKER = /<[|｜][\w▁]{1,40}[|｜]>/g;
/** What may be the beginning of a marker, at the end of what has come. */
const BEGINNING = /<(?:[|｜](?:[\w▁]{0,40}[|｜]?)?)?$/;

export class TemplateMarkers {
  #held = "";

  /** What is sure not to be a marker. */
  push(delta: string): string {
    const text = (this.#held + delta).replace(MARKER, "");
    const start = text.search(BEGINNING);
    this.#held = start === -1 ? "" : text.slice(start);
    return start === -1 ? text : text.slice(0, start);
  }

  /** What was held back, when nothing follows. */
  flush(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}
