/** The conversation of one branch. Entries are filled as they come near the reader, so that length costs nothing. */

import { h, openFold } from "./dom.ts";
import { text } from "./fields.ts";
import { entryNodes, isShown, type EntryContext } from "./entry.ts";
import { branchTo, callsOf, resultsOf, textsOf, type Entry, type Session } from "./session.ts";

export interface ThreadOptions {
  readonly session: Session;
  readonly leafId: string | null;
  readonly subagents: readonly string[];
  switchTo(id: string): void;
  /** The reader has come to this entry. */
  onReach(id: string): void;
  /** Nodes were added: marks of a search must be set again. */
  onFill(): void;
}

export interface Thread extends Disposable {
  readonly element: HTMLElement;
  readonly branch: readonly Entry[];
  /** The entry on whose place an entry is shown; undefined for one that is not on this branch. */
  hostOf(id: string): string | undefined;
  /** Scrolls to an entry; `opens` the card it stands on, `takesFocus` for readers who use keys. */
  show(id: string, how: { readonly opens: boolean; readonly takesFocus: boolean }): void;
  fillAll(): void;
}

/** How far ahead of the reader entries are filled. */
const AHEAD = "1200px";

export function createThread(options: ThreadOptions): Thread {
  const { session, leafId, subagents, switchTo } = options;
  const branch = branchTo(session, leafId);
  const results = resultsOf(branch);
  const hosts = hostsOf(branch, results);
  const context: EntryContext = { session, results, subagents, switchTo };
  const articles = new Map<string, HTMLElement>();
  const unfilled = new Map<Element, Entry>();
  const element = h("div", { class: "thread" });

  const fill = (article: Element) => {
    const entry = unfilled.get(article);
    if (!entry) return;
    unfilled.delete(article);
    near.unobserve(article);
    (article as HTMLElement).style.minHeight = "";
    article.append(...entryNodes(entry, context));
  };
  const near = new IntersectionObserver(
    (changes) => {
      const coming = changes.filter(({ isIntersecting }) => isIntersecting);
      for (const { target } of coming) fill(target);
      if (coming.length > 0) options.onFill();
    },
    { rootMargin: `${AHEAD} 0px` },
  );
  const reached = new IntersectionObserver(
    (changes) => {
      const top = changes.find(({ isIntersecting }) => isIntersecting);
      if (top) options.onReach(top.target.id.slice("entry-".length));
    },
    { rootMargin: "-10% 0px -80% 0px" },
  );

  for (const entry of branch) {
    if (hosts.get(entry.id) !== entry.id) continue;
    const article = h("article", {
      id: `entry-${entry.id}`,
      class: `entry ${entry.type} ${entry.role}`,
      tabindex: "-1",
    });
    article.style.minHeight = `${guessHeight(entry)}px`;
    articles.set(entry.id, article);
    unfilled.set(article, entry);
    near.observe(article);
    reached.observe(article);
    element.append(article);
  }

  return {
    element,
    branch,
    hostOf: (id) => hosts.get(id),
    show(id, { opens, takesFocus }) {
      const article = articles.get(hosts.get(id) ?? "");
      if (!article) return;
      fillAround(article, fill);
      const place = document.getElementById(`entry-${id}`) ?? article;
      if (opens) for (const fold of foldsAt(place, article)) openFold(fold);
      settle(place);
      if (takesFocus) article.focus({ preventScroll: true });
    },
    fillAll() {
      for (const article of [...unfilled.keys()]) fill(article);
    },
    [Symbol.dispose]() {
      near.disconnect();
      reached.disconnect();
    },
  };
}

/** Entry → the entry on whose place it is shown. Entries without a place are left out. */
function hostsOf(
  branch: readonly Entry[],
  results: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, string> {
  const hosts = new Map<string, string>();
  for (const entry of branch) {
    for (const call of callsOf(entry)) {
      const result = results.get(text(call["id"]));
      if (result) hosts.set(result.id, entry.id);
    }
  }
  const answered = new Set(hosts.keys());
  for (const entry of branch) if (isShown(entry, answered, entry.id)) hosts.set(entry.id, entry.id);
  return hosts;
}

/** Near enough that the scroll bar tells the truth. */
function guessHeight(entry: Entry): number {
  if (entry.type !== "message") return 40;
  const length = textsOf(entry.message["content"]).reduce((sum, words) => sum + words.length, 0);
  return 72 + Math.min(600, length / 4) + callsOf(entry).length * 44;
}

function fillAround(article: HTMLElement, fill: (article: Element) => void): void {
  fill(article);
  let [before, after] = [article.previousElementSibling, article.nextElementSibling];
  for (let steps = 0; steps < 6; steps++) {
    if (before) fill(before);
    if (after) fill(after);
    before = before?.previousElementSibling ?? null;
    after = after?.nextElementSibling ?? null;
  }
}

/** What is above may still change its height: the place is looked for again until it stays. */
function settle(place: HTMLElement, tries = 4): void {
  place.scrollIntoView({ block: "start" });
  if (tries > 0) requestAnimationFrame(() => settle(place, tries - 1));
}

function foldsAt(place: HTMLElement, article: HTMLElement): HTMLDetailsElement[] {
  if (place instanceof HTMLDetailsElement) return [place];
  return [...article.querySelectorAll<HTMLDetailsElement>("details")];
}
