/** Doors that higher layers implement: what the loop and the tools may ask of the house. */

import type { Tier } from "./tool.ts";

/** A tool call that wants to run. */
export interface GateRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly tier: Tier;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

/** A refusal carries the reason in words the model can act on. */
export type GateDecision =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Decides whether a tool call runs. The one gate for every kind of call. */
export interface ToolGate {
  decide(request: GateRequest): Promise<GateDecision>;
}

/** A question to the person. A front end answers kinds it does not know with `undefined`: the default. */
export type UiRequest =
  | { readonly kind: "approve"; readonly title: string; readonly lines: readonly string[] }
  | ({ readonly kind: "confirm"; readonly title: string; readonly message: string } & Patience)
  | ({
      readonly kind: "select";
      readonly title: string;
      readonly options: readonly string[];
    } & Patience)
  | ({ readonly kind: "input"; readonly title: string; readonly placeholder?: string } & Patience)
  | { readonly kind: "editor"; readonly title: string; readonly text?: string }
  | {
      readonly kind: "trust";
      readonly title: string;
      /** What a yes means. */
      readonly message?: string;
      readonly items: readonly TrustItem[];
    };

interface Patience {
  /** After this the question goes away unanswered. */
  readonly timeoutMs?: number;
}

/** `undefined` is "no answer": refused, cancelled, or nobody to ask. */
export type UiReply =
  | { readonly kind: "approve" | "confirm" | "trust"; readonly accepted: boolean }
  | { readonly kind: "select" | "input" | "editor"; readonly value: string }
  | undefined;

export interface UiNotice {
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** A part of the screen that stays as it is until it is told otherwise. `undefined` empties it. */
export type UiPart =
  | { readonly kind: "status"; readonly key: string; readonly text: string | undefined }
  | { readonly kind: "widget"; readonly key: string; readonly lines: readonly string[] | undefined }
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "editor-text"; readonly text: string };

/** Everything that asks or tells a person goes through here. */
export interface UiPort {
  /** What to tell the model when a question cannot be asked; absent where a person can answer. */
  readonly absentBecause?: string;
  request(request: UiRequest, signal: AbortSignal): Promise<UiReply>;
  tell(notice: UiNotice): void;
  /** Absent where there is no screen to fill. */
  show?(part: UiPart): void;
}

/** Something a repository wants us to run or to obey. Consent is bound to the hash of its content. */
export interface TrustItem {
  readonly kind: string;
  readonly path: string;
  readonly contentHash: string;
  /** Which of several in one file. */
  readonly name?: string;
  /** What it would do, in a few words. */
  readonly why?: string;
  /** What the hash is made of: part to hash. */
  readonly parts?: Readonly<Record<string, string>>;
  /** What is different from what the person consented to. */
  readonly change?: string;
}

export interface Trust {
  /** Whether the person trusts this folder: decides the approval mode. */
  isFolderTrusted(folder: string): Promise<boolean>;
  /** Which of these the person has consented to, by content. */
  allowed(items: readonly TrustItem[]): Promise<readonly TrustItem[]>;
}

/** What an internal URL stands for. */
export interface Resource {
  readonly contentType: string;
  /** The file behind it: whoever needs a part of it need not load it. */
  readonly path?: string;
  /** A part that was taken out of the whole: it has no lines to choose from. */
  readonly isExtract?: boolean;
  /** Edits can change it; what cannot be changed is shown without anchors. */
  readonly isMutable?: boolean;
  /** Whoever reads it needs all of it, however long. */
  readonly isWhole?: boolean;
  text(): Promise<string>;
}

/** Reads internal URLs (`artifact://`, `agent://`, ...). */
export interface Resources {
  /** Whether this is such a URL, whatever it stands for. */
  isInternal(url: string): boolean;
  /** @throws ToolFailure when there is nothing behind it */
  find(url: string, signal: AbortSignal): Promise<Resource>;
  /** The file that a write to this URL goes to. @throws ToolFailure when it cannot be written */
  writable(url: string): Promise<string>;
}

/** Proposed changes that wait for a decision of the `resolve` tool. @public */
export interface Pending {
  propose(label: string, apply: () => Promise<string>): string;
  settle(id: string, accepted: boolean): Promise<string>;
}

/** Keeps long outputs beside the session file. @public */
export interface Artifacts {
  /** A new numbered file, or undefined when the session is not stored. */
  reserve(toolType: string): Promise<{ readonly id: string; readonly path: string } | undefined>;
  /** Keeps a text of a session that is not stored and gives its id; undefined if there is no room. */
  keep(text: string): string | undefined;
}

/** A change of a file, whole: what it takes to undo it. */
export interface JournaledChange {
  readonly path: string;
  /** Undefined where there was no file. */
  readonly before: Uint8Array | undefined;
  /** Undefined where the file goes. */
  readonly after: Uint8Array | undefined;
  readonly mode: number;
}

/** Keeps what changes, so that it can be undone. Rejecting refuses the change. @public */
export interface ChangeJournal {
  record(change: JournaledChange): Promise<void>;
}

/** Whether a text still is what its language allows. @public */
export interface SyntaxCheck {
  /** What the change broke, one sentence each; empty when it broke nothing or nobody can tell. */
  broken(path: string, before: string, after: string): Promise<readonly string[]>;
}

/** One place where an edit changes a file. */
export interface EditHunk {
  readonly path: string;
  /** The first line of `before`, counted from 1; where there is none, the line that follows. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export type HunkDecision =
  | { readonly kind: "accept" }
  | { readonly kind: "reject" }
  | { readonly kind: "amend"; readonly after: readonly string[] };

/** Lets a person decide about each place of an edit before anything is written. */
export interface HunkGate {
  /** One decision for each hunk, in their order. */
  review(hunks: readonly EditHunk[], signal: AbortSignal): Promise<readonly HunkDecision[]>;
}

/** Tells the model something with its next request, once, without the person. @public */
export interface Reminders {
  remind(text: string): void;
}

/** Puts placeholders where secrets stand before text leaves the machine, and back where allowed. @public */
export interface SecretVeil {
  conceal(text: string): string;
  reveal(text: string): string;
}
