/** The lines of a session file. Shapes and names are those users' files already have. */

import type {
  AssistantMessage,
  DeveloperMessage,
  ImageBlock,
  TextBlock,
  ToolResultMessage,
  UserMessage,
} from "@omp/ai/schema";

export const SESSION_VERSION = 3;

export interface SessionHeader {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  readonly title?: string;
  readonly titleSource?: "auto" | "user";
  /** An opaque text of lineage: an id or a path. Nothing may depend on resolving it. */
  readonly parentSession?: string;
  readonly additionalDirectories?: readonly string[];
  readonly previousSessionFiles?: readonly string[];
  readonly providerPromptCacheKey?: string;
}

/** Roles that only other programs or later parts write. They are kept as they are. */
export interface ForeignMessage {
  readonly role: "bashExecution" | "pythonExecution" | "fileMention" | "hookMessage" | "custom";
  readonly [field: string]: unknown;
}

export type StoredMessage =
  UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage | ForeignMessage;

export interface EntryFields {
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
}

/** An entry as its writer makes it; the log adds id, parent and time. */
export type EntryDraft =
  | { readonly type: "message"; readonly message: StoredMessage }
  | { readonly type: "model_change"; readonly model: string; readonly role?: string }
  | { readonly type: "thinking_level_change"; readonly thinkingLevel: string | null }
  | {
      readonly type: "compaction";
      readonly summary: string;
      readonly shortSummary?: string;
      readonly firstKeptEntryId: string;
      readonly tokensBefore: number;
      readonly details?: unknown;
      readonly preserveData?: Readonly<Record<string, unknown>>;
      readonly fromExtension?: boolean;
    }
  | {
      readonly type: "branch_summary";
      /** The word `root` where the summary stands at the root. */
      readonly fromId: string;
      readonly summary: string;
      readonly details?: unknown;
      readonly fromExtension?: boolean;
    }
  | { readonly type: "custom"; readonly customType: string; readonly data?: unknown }
  | {
      readonly type: "custom_message";
      readonly customType: string;
      readonly content: string | readonly (TextBlock | ImageBlock)[];
      readonly display: boolean;
      readonly attribution?: "user" | "agent";
    }
  | { readonly type: "label"; readonly targetId: string; readonly label?: string }
  | {
      readonly type: "title_change";
      readonly title: string;
      readonly source: "auto" | "user";
      readonly previousTitle?: string;
    };

export type KnownEntry = EntryDraft & EntryFields;

/** A type this version does not know: kept in its place, passed over, never dropped. */
export interface UnknownEntry extends EntryFields {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * What a file holds. The type of an entry read from disk is a claim, not a proof: readers look at
 * its fields through `fieldsOf` and pass over what does not have the promised shape.
 */
export type SessionEntry = KnownEntry | UnknownEntry;

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(entry: SessionEntry): Fields {
  return entry as UnknownEntry;
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
