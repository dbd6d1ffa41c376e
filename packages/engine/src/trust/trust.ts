/** Who is trusted: what the person has decided before, what holds for this run, and the questions between. */

import type { Trust, TrustItem, UiPort } from "@omp/agent";
import { UserError, type Clock } from "@omp/std";
import { canonicalPath, decisionOn, isWithin } from "./folder.ts";
import { changeBetween, changeText } from "./fingerprint.ts";
import type { Consent, Decisions, TrustStore } from "./store.ts";
import { folderQuestion, itemsQuestion, refusalText } from "./texts.ts";

export interface TrustDeps {
  readonly store: TrustStore;
  /** Where only omp writes: always trusted. */
  readonly ownFolder: string;
  /** `--trust`: this folder and all in it, for this run, never stored. */
  readonly trustedForRun?: string | undefined;
  readonly ui: UiPort;
  /** Whether the person can be asked before anything runs. */
  readonly asks: boolean;
  readonly clock: Clock;
  /** Of omp. */
  readonly version: string;
}

export interface TrustDoor extends Trust {
  /** Asks once about a folder nobody has decided on, where a person can be asked. */
  askFolder(folder: string, signal: AbortSignal): Promise<boolean>;
  /**
   * The items that may be used now. The person is asked about new and changed ones.
   * @throws UserError that lists them, where nobody can be asked
   */
  admit(items: readonly TrustItem[], signal: AbortSignal): Promise<readonly TrustItem[]>;
  /** What was refused in this run. */
  pending(): readonly TrustItem[];
}

export function createTrust(deps: TrustDeps): TrustDoor {
  const { store, ui, asks } = deps;
  const forRun = deps.trustedForRun && canonicalPath(deps.trustedForRun);
  const pending = new Map<string, TrustItem>();

  const isRunTrusted = (path: string) => forRun !== undefined && isWithin(path, forRun);
  const isOwn = (path: string) => {
    const folder = canonicalPath(deps.ownFolder);
    return path !== folder && isWithin(path, folder);
  };
  const isFolderTrusted = async (folder: string) => {
    const path = canonicalPath(folder);
    if (isOwn(path) || isRunTrusted(path)) return true;
    return decisionOn(path, store.read())?.isTrusted ?? false;
  };
  const sorted = (items: readonly TrustItem[]) => {
    const decisions = store.read();
    return items.map((item) => ({
      ...withChange(item, consentTo(item, decisions)),
      isAllowed: isRunTrusted(item.path) || isConsented(item, decisions),
    }));
  };
  const allowed = async (items: readonly TrustItem[]) => {
    const known = sorted(items);
    return items.filter((_item, at) => known[at]!.isAllowed);
  };

  return {
    isFolderTrusted,
    allowed,
    async askFolder(folder, signal) {
      if (await isFolderTrusted(folder)) return true;
      const path = canonicalPath(folder);
      if (!asks || decisionOn(path, store.read())) return false;
      const reply = await ui.request(folderQuestion(path), signal);
      // No answer is no decision: the next start asks again.
      if (reply?.kind !== "trust") return false;
      await store.change(withFolder(path, { isTrusted: reply.accepted, ...stampOf(deps) }));
      return reply.accepted;
    },
    async admit(items, signal) {
      const open = sorted(items).flatMap(({ isAllowed, ...item }) => (isAllowed ? [] : [item]));
      if (open.length === 0) return items;
      for (const item of open) pending.set(keyOf(item), item);
      if (!asks) throw new UserError("untrusted", refusalText(open));
      const reply = await ui.request(itemsQuestion(open), signal);
      if (reply?.kind !== "trust" || !reply.accepted) return allowed(items);
      await store.change(withItems(open, stampOf(deps)));
      for (const item of open) pending.delete(keyOf(item));
      return items;
    },
    pending: () => [...pending.values()],
  };
}

type Stamp = Pick<Consent, "time" | "omp">;
type Step = (before: Decisions) => Decisions;

export function stampOf({ clock, version }: Pick<TrustDeps, "clock" | "version">): Stamp {
  return { time: new Date(clock.now()).toISOString(), omp: version };
}

export function withFolder(path: string, decision: Decisions["folders"][string]): Step {
  return (before) => ({ ...before, folders: { ...before.folders, [path]: decision } });
}

export function withItems(items: readonly TrustItem[], stamp: Stamp): Step {
  const keys = new Set(items.map(keyOf));
  const consents = items.map(({ kind, path, name, contentHash, parts = {} }) => ({
    kind,
    path,
    ...(name !== undefined && { name }),
    contentHash,
    parts,
    ...stamp,
  }));
  return (before) => ({
    ...before,
    items: [...before.items.filter((one) => !keys.has(keyOf(one))), ...consents],
  });
}

export function consentTo(item: TrustItem, { items }: Decisions): Consent | undefined {
  const key = keyOf(item);
  return items.find((one) => keyOf(one) === key);
}

export function isConsented(item: TrustItem, decisions: Decisions): boolean {
  return consentTo(item, decisions)?.contentHash === item.contentHash;
}

/** Says what is different from what was consented to. */
export function withChange(item: TrustItem, consent: Consent | undefined): TrustItem {
  if (!consent || consent.contentHash === item.contentHash) return item;
  return { ...item, change: changeText(changeBetween(consent.parts, item.parts ?? {})) };
}

function keyOf({ kind, path, name }: Pick<TrustItem, "kind" | "path" | "name">): string {
  return JSON.stringify([kind, path, name ?? null]);
}
