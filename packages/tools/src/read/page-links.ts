/** What a page links to in its head and says about itself. Pure. */

export interface PageLinks {
  /** The same text as Markdown. */
  readonly markdown: string | undefined;
  readonly feed: string | undefined;
  /** Documents that the page links to. */
  readonly documents: readonly string[];
}

const MAX_DOCUMENTS = 20;

export function pageLinks(html: string, url: string): PageLinks {
  const links = [...html.matchAll(/<link\b[^>]*>/gi)].map(([tag]) => attributesOf(tag));
  const alternate = (type: RegExp) => {
    const found = links.find(
      ({ rel = "", type: of = "", href }) =>
        /\balternate\b/i.test(rel) && type.test(of) && href !== undefined,
    );
    return found && absolute(found["href"]!, url);
  };
  const documents = [...html.matchAll(/<a\b[^>]*>/gi)]
    .map(([tag]) => attributesOf(tag)["href"])
    .filter((href) => href !== undefined && /\.(?:pdf|docx|xlsx|pptx)(?:[?#]|$)/i.test(href))
    .map((href) => absolute(href!, url))
    .filter((href) => href !== undefined);
  return {
    markdown: alternate(/^text\/(?:x-)?markdown/i),
    feed: alternate(/^application\/(?:rss|atom)\+xml/i),
    documents: [...new Set(documents)].slice(0, MAX_DOCUMENTS),
  };
}

/** Where the same page may be as Markdown: `/guide` at `/guide.md`. */
export function markdownTwin(url: string): string | undefined {
  const twin = new URL(url);
  const path = twin.pathname.replace(/\/$/, "");
  if (path === "" || /\.(?:md|txt|json|xml)$/i.test(path)) return undefined;
  twin.pathname = `${path.replace(/\.html?$/i, "")}.md`;
  twin.hash = "";
  return twin.href;
}

function attributesOf(tag: string): Readonly<Record<string, string>> {
  const found = tag.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g);
  return Object.fromEntries(
    found.map(([, name, double, single, bare]) => [
      name!.toLowerCase(),
      (double ?? single ?? bare ?? "").replaceAll("&amp;", "&"),
    ]),
  );
}

function absolute(href: string, base: string): string | undefined {
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}
