/** The list at the side. Only the rows in sight are in the document, whatever the length. */

import { h } from "./dom.ts";
import type { Row } from "./rows.ts";

export interface Outline {
  /** @param branch ids of the entries on the branch that is shown */
  update(rows: readonly Row[], branch: ReadonlySet<string>, address: (id: string) => string): void;
  mark(id: string): void;
}

const ROW = 30;
const SPARE = 12;

export function createOutline(list: HTMLElement): Outline {
  const body = h("div", { class: "rows", role: "list" });
  list.append(body);
  let rows: readonly Row[] = [];
  let branch: ReadonlySet<string> = new Set();
  let address = (id: string) => `#entry-${id}`;
  let current = "";

  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
    const last = Math.min(
      rows.length,
      Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE,
    );
    const shown = rows.slice(first, last).map((row, index) => rowNode(row, first + index));
    body.replaceChildren(...shown);
  };
  const rowNode = (row: Row, index: number) => {
    const { entry, depth, kind, name, words, label } = row;
    const state = entry.id === current ? "current" : branch.has(entry.id) ? "" : "off";
    const link = h(
      "a",
      {
        class: `row of-${kind} ${state}`,
        href: address(entry.id),
        ...(state === "current" && { "aria-current": "true" }),
      },
      label !== undefined && h("span", { class: "row-label" }, label),
      h("span", { class: "row-name" }, name),
      h("span", { class: "row-words" }, words),
    );
    const item = h(
      "div",
      { role: "listitem", "aria-setsize": String(rows.length), "aria-posinset": String(index + 1) },
      link,
    );
    item.style.transform = `translateY(${index * ROW}px)`;
    link.style.paddingInlineStart = `${12 + Math.min(depth, 8) * 12}px`;
    return item;
  };

  list.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(list);
  return {
    update(newRows, newBranch, newAddress) {
      [rows, branch, address] = [newRows, newBranch, newAddress];
      body.style.height = `${rows.length * ROW}px`;
      draw();
    },
    mark(id) {
      const at = rows.findIndex(({ entry }) => entry.id === id);
      if (at < 0) return;
      current = id;
      const top = at * ROW;
      const isInSight = top >= list.scrollTop && top + ROW <= list.scrollTop + list.clientHeight;
      if (!isInSight) list.scrollTop = top - list.clientHeight / 2;
      draw();
    },
  };
}
