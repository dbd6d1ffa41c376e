/** The page as a whole: which session and branch is shown, what is searched, where the reader is. */

import { part } from "./dom.ts";
import { record, type Fields } from "./fields.ts";
import { introNodes, titleOf } from "./intro.ts";
import { createOutline } from "./outline.ts";
import { passes, rowsOf, type Filter, type Row } from "./rows.ts";
import { markMatches, matches, patternOf } from "./search.ts";
import { leafBelow, sessionOf, type Session } from "./session.ts";
import { createThread, type Thread } from "./thread.ts";

export interface Viewer {
  /** Goes where the address says: `#entry-<id>`, `#agent/<name>`, `#agent/<name>/entry-<id>`. */
  goTo(hash: string): void;
  setFilter(filter: Filter): void;
  search(words: string): void;
  /** To the next or the previous match, or the next entry without a search. */
  step(by: 1 | -1): void;
  fillAll(): void;
}

interface Shown {
  readonly agent: string | undefined;
  readonly session: Session;
  readonly rows: readonly Row[];
  readonly thread: Thread;
}

export function createViewer(content: Fields): Viewer {
  const agents = record(content["subagents"]);
  const names = Object.keys(agents);
  const outline = createOutline(part("outline"));
  const [main, status] = [part("conversation"), part("search-status")];
  let shown: Shown = open(undefined, undefined, undefined);
  let filter: Filter = "all";
  let pattern: RegExp | undefined;
  let hits: readonly string[] = [];
  /** Where the reader is, and the match that was shown last. */
  let at = "";
  /** Where a step or an address led last. */
  let chosen = "";
  let hit = "";

  function open(
    agent: string | undefined,
    leafId: string | undefined,
    before: Shown | undefined,
  ): Shown {
    const same = before?.agent === agent ? before : undefined;
    const given = agent === undefined ? content : record(agents[agent]);
    const session = same?.session ?? sessionOf(given);
    const rows = same?.rows ?? rowsOf(session);
    before?.thread[Symbol.dispose]();
    const thread = createThread({
      session,
      leafId: leafId ?? session.leafId,
      subagents: names,
      switchTo: (id) => {
        shown = open(agent, leafBelow(session, id), shown);
        list();
        shown.thread.show(id, { opens: false, takesFocus: true });
      },
      onReach: (id) => {
        // Who went to a result stays there, although its place is that of the call.
        if (thread.hostOf(at) !== id) at = id;
        outline.mark(at);
      },
      onFill: () => markMatches(main, pattern),
    });
    const intro = introNodes({
      session,
      branch: thread.branch,
      agent,
      subagents: names,
      content: given,
    });
    part("intro").replaceChildren(...intro);
    main.replaceChildren(thread.element);
    document.title = agent ?? titleOf(session);
    return { agent, session, rows, thread };
  }

  function list(): void {
    const { rows, thread, agent } = shown;
    const found = pattern === undefined ? undefined : new Set(hits);
    const wanted = rows.filter((row) => passes(row, filter) && (found?.has(row.entry.id) ?? true));
    const prefix = agent === undefined ? "#" : `#agent/${encodeURIComponent(agent)}/`;
    outline.update(
      wanted,
      new Set(thread.branch.map(({ id }) => id)),
      (id) => `${prefix}entry-${id}`,
    );
  }

  function show(id: string, opens: boolean, takesFocus = true): void {
    if (shown.thread.hostOf(id) === undefined && shown.session.byId.has(id)) {
      shown = open(shown.agent, leafBelow(shown.session, id), shown);
      list();
    }
    at = id;
    chosen = shown.thread.hostOf(id) ?? id;
    shown.thread.show(id, { opens, takesFocus });
    outline.mark(id);
    markMatches(main, pattern);
  }

  function tell(): void {
    const place = hits.indexOf(hit) + 1;
    status.textContent =
      pattern === undefined
        ? ""
        : hits.length === 0
          ? "Nothing found"
          : `${place || "–"} / ${hits.length}`;
  }

  list();
  return {
    goTo(hash) {
      const [, agent, id] = /^#(?:agent\/([^/]+)\/?)?(?:entry-(.+))?$/.exec(hash) ?? [];
      const name = agent === undefined ? undefined : decodeURIComponent(agent);
      if (name !== shown.agent && (name === undefined || names.includes(name))) {
        shown = open(name, undefined, shown);
        list();
        if (id === undefined) window.scrollTo(0, 0);
      }
      if (id !== undefined) show(decodeURIComponent(id), true);
    },
    setFilter(wanted) {
      filter = wanted;
      list();
    },
    search(words) {
      pattern = patternOf(words);
      hit = "";
      const wanted = pattern;
      const found =
        wanted === undefined ? [] : shown.session.entries.filter((entry) => matches(entry, wanted));
      hits = found.map(({ id }) => id).filter((id) => isPlace(shown, id));
      list();
      markMatches(main, pattern);
      tell();
    },
    step(by) {
      const order = pattern === undefined ? [...articleIds(main)] : hits;
      if (order.length === 0) return;
      // What was chosen last counts as long as it is to be seen; after that, where the reader scrolled to.
      const place = isInView(chosen) ? chosen : at;
      const from = order.indexOf(pattern === undefined ? place : hit);
      const start = from < 0 && by < 0 ? 0 : from;
      const next = order[(start + by + order.length) % order.length];
      if (next === undefined) return;
      hit = next;
      // Who types goes on typing.
      show(next, pattern !== undefined, pattern === undefined);
      tell();
    },
    fillAll: () => shown.thread.fillAll(),
  };
}

/** Bookkeeping matches words too, but there is nothing to show of it. */
function isPlace({ session, rows, thread }: Shown, id: string): boolean {
  return (
    thread.hostOf(id) !== undefined ||
    rows.some(({ entry }) => entry.id === id) ||
    session.byId.get(id)?.role === "assistant"
  );
}

function isInView(id: string): boolean {
  const place = document.getElementById(`entry-${id}`)?.getBoundingClientRect();
  return place !== undefined && place.bottom > 0 && place.top < window.innerHeight;
}

function* articleIds(main: HTMLElement): Generator<string> {
  for (const article of main.querySelectorAll("article")) yield article.id.slice("entry-".length);
}
