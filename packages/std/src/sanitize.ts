/**
 * THE sanitizer: what untrusted text must pass before it reaches a terminal. Plain text, line feeds and
 * tabs come out; nothing that moves the cursor, talks to the terminal, reorders or hides text does.
 *
 * - A carriage return is dropped: `\r\n` becomes `\n`, and a lone one cannot overwrite what was shown.
 * - Escape sequences are dropped whole, in their 7-bit and 8-bit (C1) forms.
 * - A sequence that is never ended (an OSC without its terminator) ends at the line feed, or after
 *   `MAX_SEQUENCE` characters; what follows is text again.
 * - Joiners and variation selectors stay only where they shape a visible grapheme, one at a time: runs of
 *   them can carry hidden text.
 */

export interface Sanitizer {
  /** The clean text of everything that is decided by now. */
  push(chunk: string): string;
  /** The rest. The sanitizer must not be used after it. */
  end(): string;
}

/** Longer than any sequence a program needs in plain output (a chunk of a terminal image is 4 KiB). */
const MAX_SEQUENCE = 8192;

/** Characters that are always dropped. C0 but tab and line feed, DEL, C1, bidi controls, invisible ones. */
const DROPPED =
  "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const JOINERS = "\\u200c\\u200d";
const SELECTORS = "\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
const IS_DROPPED = new RegExp(`[${DROPPED}]`, "u");
const NEEDS_WORK = new RegExp(`[${DROPPED}${JOINERS}${SELECTORS}\\ud800-\\udfff]`, "u");

/** What programs write most: colours, "clear to the end of the line", and the `\r` of `\r\n`. */
const COMMON = /\x1b\[[0-9;:]*[mK]|\r/g;

export function sanitize(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  const sanitizer = createSanitizer();
  return sanitizer.push(text) + sanitizer.end();
}

/** For names and titles: one line, whatever was in them. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replaceAll(/[\n\t\u2028\u2029]/g, " ");
}

type State = "text" | "escape" | "designator" | "csi" | "shift" | "string";

/** The same as `sanitize`, for text that arrives in pieces: however it is cut, the result is the same. */
export function createSanitizer(): Sanitizer {
  const shaper = createShaper();
  let state: State = "text";
  let sequenceLength = 0;
  let heldSurrogate = "";

  const clean = (text: string): string => {
    if (state === "text" && !shaper.isHolding()) {
      // Where nothing else is left there was no other sequence that these could have been a part of.
      const plain = NEEDS_WORK.test(text) ? text.replace(COMMON, "") : text;
      if (!NEEDS_WORK.test(plain)) {
        shaper.skip(plain);
        return plain;
      }
    }
    let out = "";
    // Everything from here to the current character comes out as it is.
    let runStart = 0;
    for (let at = 0; at < text.length;) {
      const code = text.codePointAt(at)!;
      const next = at + (code > 0xffff ? 2 : 1);
      const instead = state === "text" && isPlain(code) ? shaper.keep(code) : consider(code);
      if (instead !== undefined) {
        out += text.slice(runStart, at) + instead;
        runStart = next;
      }
      at = next;
    }
    return out + text.slice(runStart);
  };

  /** What comes out instead of a character, or undefined when it comes out as it is. */
  const consider = (code: number): string | undefined => {
    if (state !== "text") {
      const following = ++sequenceLength > MAX_SEQUENCE ? undefined : advance(state, code);
      state = following ?? "text";
      if (following !== undefined) return "";
    }
    const opened = opens(code);
    if (opened === undefined) return shaper.consider(code);
    state = opened;
    sequenceLength = 0;
    return "";
  };

  return {
    push(chunk) {
      const text = heldSurrogate + chunk;
      const isOpen = isBetween(text.charCodeAt(text.length - 1), 0xd800, 0xdbff);
      heldSurrogate = isOpen ? text.slice(-1) : "";
      return clean(isOpen ? text.slice(0, -1) : text);
    },
    end() {
      const rest = clean(heldSurrogate);
      heldSurrogate = "";
      return rest;
    },
  };
}

/** Decides on characters outside of sequences. Joiners wait for the character that they join. */
function createShaper() {
  let heldJoiner = "";
  /** The last code point that came out; 0 before the first. */
  let last = 0;

  const keep = (code: number): string | undefined => {
    last = code;
    if (heldJoiner === "") return undefined;
    const joiner = heldJoiner;
    heldJoiner = "";
    return (takesJoiner(code) ? joiner : "") + String.fromCodePoint(code);
  };
  const holdJoiner = (code: number): string => {
    if (heldJoiner === "" && takesJoiner(last)) heldJoiner = String.fromCodePoint(code);
    return "";
  };
  const keepSelector = (code: number): string | undefined => {
    if (heldJoiner !== "" || !takesSelector(last)) return "";
    last = code;
    return undefined;
  };

  return {
    isHolding: () => heldJoiner !== "",
    /** A visible character. Here as in `consider`: undefined when it comes out as it is. */
    keep,
    consider(code: number): string | undefined {
      if (code === 0x200c || code === 0x200d) return holdJoiner(code);
      if (isSelector(code)) return keepSelector(code);
      if (isBetween(code, 0xd800, 0xdfff)) return keep(0xfffd) ?? "\ufffd";
      return IS_DROPPED.test(String.fromCodePoint(code)) ? "" : keep(code);
    },
    /** Takes note of text that needs no work. */
    skip(text: string): void {
      if (text !== "") last = lastCodePoint(text);
    },
  };
}

/** The state after one more character of a sequence; undefined when the sequence broke off before it. */
function advance(state: Exclude<State, "text">, code: number): State | undefined {
  switch (state) {
    case "escape":
      return afterEscape(code);
    case "designator":
      if (isBetween(code, 0x20, 0x2f)) return "designator";
      return isBetween(code, 0x30, 0x7e) ? "text" : undefined;
    case "csi":
      if (isBetween(code, 0x20, 0x3f)) return "csi";
      return isBetween(code, 0x40, 0x7e) ? "text" : undefined;
    case "shift":
      return isBetween(code, 0x20, 0x7e) ? "text" : undefined;
    case "string":
      return inString(code);
  }
}

function afterEscape(code: number): State | undefined {
  if (code === 0x5b) return "csi";
  // ] P X ^ _ open OSC, DCS, SOS, PM and APC.
  if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f)
    return "string";
  // N and O shift the next character into another set.
  if (code === 0x4e || code === 0x4f) return "shift";
  if (isBetween(code, 0x20, 0x2f)) return "designator";
  return isBetween(code, 0x30, 0x7e) ? "text" : undefined;
}

/** BEL, CAN, SUB and ST end a string. ESC ends it too: the `\` of a 7-bit ST is then a sequence of its own. */
function inString(code: number): State | undefined {
  if (code === 0x07 || code === 0x18 || code === 0x1a || code === 0x9c) return "text";
  return code === 0x1b || code === 0x0a ? undefined : "string";
}

/** The state that a character opens by itself: ESC and its 8-bit short forms. */
function opens(code: number): State | undefined {
  if (code === 0x1b) return "escape";
  if (code === 0x9b) return "csi";
  if (code === 0x8e || code === 0x8f) return "shift";
  if (code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f)
    return "string";
  return undefined;
}

/** The common case, decided without a regular expression. */
function isPlain(code: number): boolean {
  return (
    isBetween(code, 0x20, 0x7e) || code === 0x0a || code === 0x09 || isBetween(code, 0xa0, 0x61b)
  );
}

/** No script that joins its letters is written in ASCII. */
function takesJoiner(code: number): boolean {
  return code > 0x7f;
}

/** In ASCII only the bases of keycaps (`1`, `#`) take a selector, and no selector takes a second one. */
function takesSelector(code: number): boolean {
  if (code > 0x7f) return !isSelector(code);
  return isBetween(code, 0x30, 0x39) || code === 0x23 || code === 0x2a;
}

function isSelector(code: number): boolean {
  return isBetween(code, 0xfe00, 0xfe0f) || isBetween(code, 0xe0100, 0xe01ef);
}

function lastCodePoint(text: string): number {
  const isPair = text.length > 1 && isBetween(text.charCodeAt(text.length - 1), 0xdc00, 0xdfff);
  return text.codePointAt(text.length - (isPair ? 2 : 1))!;
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
