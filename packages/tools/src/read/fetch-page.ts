/** A web address as text: the best form of what is there, and how it was made. */

import {
  decodePage,
  documentKind,
  HostError,
  type DocumentKind,
  type Sources,
  type WebResponse,
} from "@omp/host";
import { ignore, messageOf } from "@omp/std";
import type { Page } from "../shared/pages.ts";
import { feedText } from "./feed.ts";
import { markdownTwin, pageLinks, type PageLinks } from "./page-links.ts";
import { textPlace } from "./web-address.ts";

/** A page that is shorter than this says nothing; what it links to may. */
const MIN_TEXT = 200;
const ACCEPT =
  "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, */*;q=0.5";

export interface Fetched extends Page {
  /** A picture has bytes instead of a text. */
  readonly picture?: Uint8Array;
}

interface Door {
  readonly sources: Sources;
  readonly signal: AbortSignal;
  isPicture(head: Uint8Array): Promise<boolean>;
}

export async function fetchPage(url: string, isRaw: boolean, door: Door): Promise<Fetched> {
  const response = await fetched(isRaw ? url : (textPlace(url) ?? url), door, isRaw);
  if (typeof response === "string") {
    return { ...pageOf(url, url), method: "failed", notes: [response], text: "" };
  }
  const page = { ...pageOf(url, response.url), contentType: response.contentType };
  if (response.status >= 400) {
    const note = `Failed to fetch URL (HTTP ${response.status})`;
    return { ...page, method: "failed", notes: [note], text: decoded(response) };
  }
  if (await door.isPicture(response.bytes.subarray(0, 512))) {
    return { ...page, method: "image", text: "", picture: response.bytes };
  }
  const kind = kindOf(response);
  if (kind) return documentPage(kind, response, page, door);
  if (isRaw) return { ...page, method: "raw", text: decoded(response) };
  return { ...page, ...(await rendered(response, door)) };
}

function pageOf(url: string, finalUrl: string): Page {
  return { url, finalUrl, contentType: "", method: "raw", notes: [], text: "" };
}

/** A text says why there is no answer: nobody is to blame but the way there. */
async function fetched(url: string, { sources, signal }: Door, isRaw: boolean) {
  try {
    return await sources.web.fetch({ url, ...(isRaw ? {} : { accept: ACCEPT }) }, signal);
  } catch (error) {
    // A place that may not be asked is the caller's mistake.
    if (error instanceof HostError && error.kind !== "refused") return error.message;
    throw error;
  }
}

type Rendering = Pick<Page, "method" | "notes" | "text">;

async function rendered(response: WebResponse, door: Door): Promise<Rendering> {
  const { contentType } = response;
  const text = decoded(response);
  const plain = (method: string, shown = text): Rendering => ({ method, notes: [], text: shown });
  if (/[/+]json$/.test(contentType)) return plain("json", prettyJson(text));
  if (/^text\/(?:x-)?markdown$/.test(contentType)) {
    const isNamed = /\.(?:md|markdown|mdx)$/i.test(new URL(response.url).pathname);
    return plain(isNamed ? "text" : "content-negotiation");
  }
  if (isHtml(contentType, text)) return htmlRendering(text, response.url, door);
  const feed = /xml/.test(contentType) || text.startsWith("<?xml") ? feedText(text) : undefined;
  if (feed !== undefined) return plain("feed", feed);
  return text.includes("\0") ? plain("raw", "[Binary data]") : plain("text");
}

/** What the site offers for readers of text comes first; the page itself is what everybody has. */
async function htmlRendering(html: string, url: string, door: Door): Promise<Rendering> {
  const links = pageLinks(html, url);
  const offered = [
    { method: "alternate-markdown", url: links.markdown },
    { method: "md-suffix", url: markdownTwin(url) },
  ];
  for (const { method, url: place } of offered) {
    const text = place === undefined ? undefined : await plainText(place, door);
    if (text !== undefined) return { method, notes: [], text };
  }
  const text = await door.sources.markdown(html, { url });
  if (bodyOf(text).length >= MIN_TEXT) return { method: "native", notes: [], text };
  return (await instead(links, url, door)) ?? shortPage(html, text);
}

/** For a page that is only a frame. */
async function instead(links: PageLinks, url: string, door: Door): Promise<Rendering | undefined> {
  const feed = links.feed === undefined ? undefined : await other(links.feed, door);
  const items = feed && feedText(decoded(feed));
  if (items !== undefined) return { method: "feed", notes: [`From ${links.feed}`], text: items };
  if (links.documents.length > 0) {
    const text = `The page links to these documents:\n\n${links.documents.join("\n")}`;
    return { method: "documents", notes: ["The page itself has little text"], text };
  }
  const guide = await plainText(new URL("/llms.txt", url).href, door);
  return guide === undefined ? undefined : { method: "llms.txt", notes: [], text: guide };
}

function shortPage(html: string, text: string): Rendering {
  if (bodyOf(text) !== "") return { method: "native", notes: [], text };
  return { method: "raw-html", notes: ["No readable text was found"], text: html };
}

/** Without what stands about the page in front. */
function bodyOf(markdown: string): string {
  return markdown.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, "").trim();
}

/** Undefined unless there is a text that is no page. */
async function plainText(url: string, door: Door): Promise<string | undefined> {
  const response = await other(url, door);
  if (!response || !/^text\/(?:plain|(?:x-)?markdown)$/.test(response.contentType))
    return undefined;
  const text = decoded(response);
  return text.trim() === "" || isHtml("", text) ? undefined : text;
}

/** What else is asked for may be missing. */
async function other(url: string, { sources, signal }: Door): Promise<WebResponse | undefined> {
  try {
    const response = await sources.web.fetch({ url, accept: ACCEPT }, signal);
    return response.status === 200 ? response : undefined;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    ignore(error, "the page itself is there");
    return undefined;
  }
}

async function documentPage(
  kind: DocumentKind,
  { bytes }: WebResponse,
  page: Page,
  { sources, signal }: Door,
): Promise<Fetched> {
  try {
    return { ...page, method: "markit", text: await sources.documents.text(kind, bytes, signal) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return {
      ...page,
      method: "failed",
      notes: [`Cannot read .${kind}: ${messageOf(error)}`],
      text: "",
    };
  }
}

const KINDS: Readonly<Record<string, DocumentKind>> = {
  "application/pdf": "pdf",
  "application/epub+zip": "epub",
  "application/rtf": "rtf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
};

function kindOf({ contentType, url }: WebResponse): DocumentKind | undefined {
  const isVague = contentType === "" || contentType === "application/octet-stream";
  return KINDS[contentType] ?? (isVague ? documentKind(new URL(url).pathname) : undefined);
}

function isHtml(contentType: string, text: string): boolean {
  return (
    /^(?:text\/html|application\/xhtml\+xml)$/.test(contentType) ||
    (contentType === "" && /^\s*(?:<!doctype html|<html)/i.test(text))
  );
}

function decoded({ bytes, charset }: WebResponse): string {
  return decodePage(bytes, charset);
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
