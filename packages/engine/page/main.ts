/** Starts the page: reads the session out of it, and listens to keys, fields and addresses. */

import { part } from "./dom.ts";
import { record, type Fields } from "./fields.ts";
import type { Filter } from "./rows.ts";
import { createViewer, type Viewer } from "./viewer.ts";

start();

function start(): void {
  const viewer = createViewer(embedded());
  const search = part<HTMLInputElement>("search");
  listenToSearch(search, viewer);
  for (const choice of document.querySelectorAll<HTMLInputElement>('input[name="filter"]')) {
    choice.addEventListener("change", () => viewer.setFilter(choice.value as Filter));
  }
  part("mode").addEventListener("click", toggleMode);
  part("menu").addEventListener("click", () => toggleOutline());
  for (const place of [part("outline"), part("intro"), part("conversation")]) {
    place.addEventListener("click", () => toggleOutline(false));
  }
  window.addEventListener("hashchange", () => viewer.goTo(location.hash));
  window.addEventListener("beforeprint", () => viewer.fillAll());
  document.addEventListener("keydown", (event) => onKey(event, search, viewer));
  viewer.goTo(location.hash);
  document.documentElement.dataset["ready"] = "true";
}

function embedded(): Fields {
  const bytes = bytesOf(part("session-data").textContent.trim());
  return record(JSON.parse(new TextDecoder().decode(bytes)));
}

/** A page may hold a hundred megabytes: the browser's own way where it has one, else letter by letter. */
function bytesOf(base64: string): Uint8Array {
  const { fromBase64 } = Uint8Array as Partial<typeof Uint8Array>;
  if (fromBase64) return fromBase64.call(Uint8Array, base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

function listenToSearch(search: HTMLInputElement, viewer: Viewer): void {
  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => viewer.search(search.value), 120);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") viewer.step(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    search.value = "";
    viewer.search("");
    search.blur();
  });
  part("next").addEventListener("click", () => viewer.step(1));
  part("previous").addEventListener("click", () => viewer.step(-1));
}

function onKey(event: KeyboardEvent, search: HTMLInputElement, viewer: Viewer): void {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type === "search";
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act(viewer, search);
}

const KEYS: Readonly<Record<string, (viewer: Viewer, search: HTMLInputElement) => void>> = {
  "/": (_viewer, search) => {
    toggleOutline(true);
    search.focus();
    search.select();
  },
  j: (viewer) => viewer.step(1),
  k: (viewer) => viewer.step(-1),
  t: () => toggleMode(),
  Escape: () => toggleOutline(false),
};

/** The look of the system until the reader chooses; then the other one. */
function toggleMode(): void {
  const root = document.documentElement;
  const isDark =
    root.dataset["mode"] === "dark" ||
    (root.dataset["mode"] !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset["mode"] = isDark ? "light" : "dark";
}

/** On small screens the list lies over the conversation. */
function toggleOutline(isOpen = !document.body.classList.contains("listing")): void {
  document.body.classList.toggle("listing", isOpen);
  part("menu").setAttribute("aria-expanded", String(isOpen));
}
