/** Flags that choose the session and the folder. */

import type { Flag } from "../flag.ts";

export const sessionFlags: readonly Flag[] = [
  {
    name: "continue",
    short: "c",
    value: "[id]",
    isValueOptional: true,
    takes: isWholeSessionId,
    category: "Session",
    help: "Go on with the last session of this terminal, else the newest of this folder",
    apply: (invocation, value) => {
      if (value === "") invocation.isContinue = true;
      else invocation.resume = value;
    },
  },
  {
    name: "resume",
    short: "r",
    aliases: ["session"],
    value: "[id|path]",
    isValueOptional: true,
    takes: looksLikeSession,
    category: "Session",
    help: "Go on with this session, or choose one from a list; the beginning of an id is enough",
    apply: (invocation, value) => void (invocation.resume = value),
  },
  {
    name: "fork",
    value: "<id|path>",
    category: "Session",
    help: "Go on in a copy of this session",
    apply: (invocation, value) => void (invocation.fork = value),
  },
  {
    name: "yes",
    category: "Session",
    help: "Open a session of another project as it is, without asking to fork it",
    apply: (invocation) => void (invocation.settings["session.resumeInPlace"] = true),
  },
  {
    name: "no-session",
    category: "Session",
    help: "Keep the session in memory only",
    apply: (invocation) => void (invocation.isInMemory = true),
  },
  {
    name: "session-dir",
    value: "<folder>",
    category: "Session",
    help: "Store and look up sessions in this folder only",
    apply: (invocation, value) => void (invocation.sessionDir = value),
  },
  {
    name: "no-title",
    category: "Session",
    help: "Give the session no title of its own accord",
    apply: (invocation) => void (invocation.isTitleless = true),
  },
  {
    name: "export",
    value: "<file> [out]",
    category: "Session",
    help: "Make a page of a session file and exit",
    apply: (invocation, value) => void (invocation.exportFile = value),
  },
  {
    name: "cwd",
    value: "<folder>",
    category: "Session",
    help: "Work in this folder instead of the current one",
    apply: (invocation, value) => void (invocation.cwd = value),
  },
];

/** A path, or something that ids and names of session files begin with. */
function looksLikeSession(word: string): boolean {
  return isPath(word) || isTime(word) || isHex(word);
}

/** An id as it stands in a session file: a UUID, or the 16 digits of older ones. */
function isWholeSessionId(word: string): boolean {
  return /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16})$/i.test(word);
}

/** A sentence may have a slash in it; a path rarely has a blank. */
function isPath(word: string): boolean {
  return word.endsWith(".jsonl") || (/[/\\]/.test(word) && !/\s/.test(word));
}

function isTime(word: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\w-]*$/.test(word);
}

/** With a digit: `face` and `added` are words. */
function isHex(word: string): boolean {
  return /^[0-9a-f][0-9a-f-]{3,}$/i.test(word) && /\d/.test(word);
}
