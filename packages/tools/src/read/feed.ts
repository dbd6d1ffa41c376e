/** Feeds (RSS, Atom) as Markdown. */

const MAX_ITEMS = 50;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** Undefined for what is no feed. */
export function feedText(xml: string): string | undefined {
  const root = rootOf(xml);
  if (!root || !/^(?:rss|feed|rdf:RDF)$/.test(root.name)) return undefined;
  const channel = child(root, "channel") ?? root;
  const items = [...children(channel), ...children(root)].filter(({ name }) =>
    /^(?:item|entry)$/.test(name),
  );
  const parts = items.slice(0, MAX_ITEMS).map(itemText);
  const title = textIn(child(channel, "title")) || "Feed";
  const more = items.length > MAX_ITEMS ? [`… ${items.length - MAX_ITEMS} more`] : [];
  return [`# ${title}`, ...parts, ...more].join("\n\n");
}

function itemText(item: Element): string {
  const link = child(item, "link");
  const href = link?.attributes["href"] ?? textIn(link);
  const when = ["pubDate", "published", "updated", "dc:date"]
    .map((name) => textIn(child(item, name)))
    .find((text) => text !== "");
  const about = ["description", "summary", "content", "content:encoded"]
    .map((name) => textIn(child(item, name)))
    .find((text) => text !== "");
  return [
    `## ${textIn(child(item, "title")) || "(untitled)"}`,
    [href, when].filter(Boolean).join(" · "),
    about === undefined ? "" : plain(about),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function rootOf(xml: string): Element | undefined {
  try {
    return Bun.XML.parse(xml, { compact: false }) as unknown as Element;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function children({ children: nodes }: Element): readonly Element[] {
  return nodes.filter((node): node is Element => typeof node !== "string" && "name" in node);
}

function child(parent: Element, name: string): Element | undefined {
  return children(parent).find((node) => node.name === name);
}

function textIn(node: Element | string | undefined): string {
  if (node === undefined) return "";
  if (typeof node === "string") return node.trim();
  return "children" in node ? node.children.map(textIn).join("") : "";
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 500);
}
