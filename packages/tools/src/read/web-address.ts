/** Which paths are web addresses, and which part of one is asked for. Pure. */

import { parseSelector, WHOLE, type Selector } from "./selector.ts";

export interface WebAddress {
  readonly url: string;
  readonly selector: Selector;
}

/** Undefined for what is no web address. */
export function webAddress(path: string): WebAddress | undefined {
  const text = /^www\.[^\s/]+\.[^\s/]/i.test(path) ? `https://${path}` : path;
  const [, origin] = /^(https?:\/\/[^/?#]+)/i.exec(text) ?? [];
  if (origin === undefined) return undefined;
  // Behind a bare host a colon begins a port, so a selector needs a slash in front.
  const rest = text.slice(origin.length);
  for (const { index } of rest.matchAll(/:/g)) {
    const selector = parseSelector(rest.slice(index + 1));
    if (selector && index > 0) return { url: origin + rest.slice(0, index), selector };
  }
  return { url: text, selector: WHOLE };
}

/** Places where the text itself is, instead of a page around it. */
export function textPlace(url: string): string | undefined {
  const [, owner, repository, rest] =
    /^https:\/\/github\.com\/([^/]+)\/([^/]+)\/(?:blob|raw)\/([^?#]+)/.exec(url) ?? [];
  if (rest !== undefined) return `https://raw.githubusercontent.com/${owner}/${repository}/${rest}`;
  const [, gist] = /^https:\/\/gist\.github\.com\/([^/?#]+\/[0-9a-f]+)\/?$/.exec(url) ?? [];
  return gist === undefined ? undefined : `https://gist.githubusercontent.com/${gist}/raw`;
}
