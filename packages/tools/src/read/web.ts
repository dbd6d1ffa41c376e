/** Web addresses for the read tool: fetched once, then read in parts like a file. */

import { textOutput, ToolFailure, type Artifacts, type ToolOutput } from "@omp/agent";
import { spillInto, type Sources } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import type { Page } from "../shared/pages.ts";
import type { Pictures } from "../shared/pictures.ts";
import type { Reading } from "../shared/reading.ts";
import { pageDetails, type ReadDetails } from "./details.ts";
import { fetchPage, type Fetched } from "./fetch-page.ts";
import { imageOutput } from "./image.ts";
import { textLines } from "./lines.ts";
import { renderPage, type PageStyle, type RenderedPage } from "./page.ts";
import type { Selector } from "./selector.ts";
import type { WebAddress } from "./web-address.ts";

export interface WebHosts {
  readonly sources: Sources;
  readonly pictures: Pictures;
  readonly reading: Reading;
  readonly artifacts: Artifacts;
}

/** What a conversation bears of a picture that nobody asked for by name. */
const MAX_INLINE_BYTES = 300 * 1024;
const LINES_SHOWN = 300;

export async function readWeb(
  { url, selector }: WebAddress,
  hosts: WebHosts,
  style: PageStyle,
  signal: AbortSignal,
): Promise<ToolOutput<ReadDetails>> {
  const { reading } = hosts;
  if (!reading.allowsUrls) {
    throw new ToolFailure("Reading URLs is turned off by the setting fetch.enabled.");
  }
  const known = reading.pages.find(url, selector.isRaw);
  const page: Fetched = known ?? (await fetchNow(url, selector.isRaw, hosts, signal));
  if (page.picture) return pictureOutput(page, page.picture, hosts.pictures);
  return showPage(page, selector, hosts, { ...style, defaultLimit: LINES_SHOWN });
}

async function fetchNow(
  url: string,
  isRaw: boolean,
  { sources, pictures, reading }: WebHosts,
  signal: AbortSignal,
): Promise<Fetched> {
  const isPicture = (head: Uint8Array) => pictures.isPicture(head);
  const page = await orFailure(fetchPage(url, isRaw, { sources, signal, isPicture }));
  if (!page.picture && page.method !== "failed") reading.pages.keep(page, isRaw);
  return page;
}

async function showPage(
  page: Page,
  selector: Selector,
  hosts: WebHosts,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const { text } = page;
  const rendered = text === "" ? { text: "" } : await renderPage(selector, textLines(text), style);
  const artifactId = await kept(page, rendered, selector, hosts);
  const source = { type: "url", value: page.url } as const;
  const totalBytes = Buffer.byteLength(text);
  const more = { totalBytes, ...(artifactId !== undefined && { artifactId }) };
  const where = artifactId === undefined ? "" : `\n[The whole text: artifact://${artifactId}]`;
  return textOutput(headOf(page) + rendered.text + where, {
    ...aboutOf(page),
    ...pageDetails(rendered, source, more),
  });
}

/** The whole text goes where it can be read on, once. */
async function kept(
  page: Page,
  { shown }: RenderedPage,
  { isRaw }: Selector,
  { artifacts, reading }: WebHosts,
): Promise<string | undefined> {
  if (page.artifactId !== undefined || shown?.nextLine === undefined) return page.artifactId;
  const spill = await spillInto(artifacts, "read")();
  await spill?.write(Buffer.from(page.text));
  const artifactId = await spill?.close();
  if (artifactId !== undefined) reading.pages.keep({ ...page, artifactId }, isRaw);
  return artifactId;
}

async function pictureOutput(
  page: Page,
  bytes: Uint8Array,
  pictures: Pictures,
): Promise<ToolOutput<ReadDetails>> {
  const output = await imageOutput(page.finalUrl, bytes, pictures, { maxBytes: MAX_INLINE_BYTES });
  const source = { type: "url", value: page.url } as const;
  const head = { type: "text", text: headOf(page) } as const;
  const isLight = output.content.every(
    (block) => block.type === "text" || block.data.length * 0.75 <= MAX_INLINE_BYTES,
  );
  const note = {
    type: "text",
    text: "[The image is too large to show from the web; save it and read the file.]",
  } as const;
  const content = output.content.filter((block) => isLight || block.type === "text");
  return {
    content: [head, ...content, ...(isLight ? [] : [note])],
    details: { ...aboutOf(page), meta: { source } },
  };
}

function headOf({ finalUrl, contentType, method, notes }: Page): string {
  const lines = [
    `URL: ${finalUrl}`,
    `Content-Type: ${contentType || "unknown"}`,
    `Method: ${method}`,
    ...(notes.length > 0 ? [`Notes: ${notes.join("; ")}`] : []),
  ];
  return `${lines.join("\n")}\n\n---\n`;
}

function aboutOf({ url, finalUrl, contentType, method, notes }: Page) {
  return { kind: "url", url, finalUrl, contentType, method, notes } as const;
}
