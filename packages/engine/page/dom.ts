/** Makes elements. Text is always text: nothing here reads HTML. */

type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (typeof value === "string") element.setAttribute(name, value);
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

function button(
  label: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

export function part<Kind extends HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as Kind;
}

/** A button that copies what `read` gives, and says so. */
export function copyButton(read: () => string, what: string): HTMLButtonElement {
  const element = button("Copy", () => void copy(), {
    class: "copy",
    "aria-label": `Copy ${what}`,
  });
  const copy = async () => {
    const isDone = await toClipboard(read());
    element.textContent = isDone ? "Copied" : "Not possible";
    setTimeout(() => (element.textContent = "Copy"), 1500);
  };
  return element;
}

async function toClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false; // Some browsers keep the clipboard from pages that are files.
  }
}

/** A fold whose content is made when it is opened for the first time. */
export function fold(
  summary: readonly Child[],
  fill: () => Node,
  attributes: Attributes = {},
): HTMLDetailsElement {
  const element = h("details", attributes, h("summary", {}, ...summary));
  const fillOnce = () => {
    if (element.childElementCount === 1) element.append(fill());
  };
  element.addEventListener("toggle", () => element.open && fillOnce());
  if (element.open) fillOnce();
  return element;
}

/** Opens folds now, without waiting for the event. */
export function openFold(element: HTMLDetailsElement): void {
  element.open = true;
  element.dispatchEvent(new Event("toggle"));
}
