/** Pictures of messages. Only what stands in the page itself is shown. */

import { h } from "./dom.ts";
import { records, text } from "./fields.ts";

export function images(content: unknown): HTMLElement[] {
  return records(content)
    .filter(({ type }) => type === "image")
    .map(({ data, mimeType }) => image(text(data), text(mimeType)));
}

function image(data: string, mimeType: string): HTMLElement {
  const isShown = /^image\/[\w.+-]+$/.test(mimeType) && /^[A-Za-z0-9+/]+=*$/.test(data);
  if (!isShown) return h("p", { class: "note" }, "A picture that is not part of this file");
  const picture = h("img", {
    src: `data:${mimeType};base64,${data}`,
    alt: "Picture in the conversation",
    loading: "lazy",
  });
  return h("figure", { class: "picture" }, picture);
}
