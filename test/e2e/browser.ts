/** A page in a real browser without a window, and everything it tried to reach. */

import { pathToFileURL } from "node:url";

export interface BrowserPage extends Disposable {
  /** The value of an expression, evaluated in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Resolves when the expression is true. */
  until(expression: string): Promise<void>;
  click(selector: string): Promise<void>;
  type(words: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Addresses of all requests but that of the page itself and of data in it. */
  readonly requests: readonly string[];
  /** Texts of errors, refusals of the policy and dialogs. */
  readonly troubles: readonly string[];
}

export interface BrowserOptions {
  readonly hash?: string;
  readonly mode?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** Opens a file and waits until the page says that it is ready. */
export async function openPage(file: string, options: BrowserOptions = {}): Promise<BrowserPage> {
  const { hash = "", mode = "light", width = 1280, height = 900 } = options;
  const url = pathToFileURL(file).href;
  const requests: string[] = [];
  const troubles: string[] = [];
  const view = new Bun.WebView({
    width,
    height,
    backend: {
      type: "chrome",
      path: Bun.which("chromium") ?? "chromium",
      // The sandbox of the browser cannot be set up by root, which is who runs in most containers.
      argv: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      url: false,
    },
  });
  await view.navigate("about:blank");
  await watch(view, requests, troubles);
  await view.cdp("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: mode }],
  });
  await view.navigate(`${url}${hash}`);
  const page: BrowserPage = {
    evaluate: async <Value>(expression: string) => (await view.evaluate(expression)) as Value,
    async until(expression) {
      while (!(await view.evaluate(`Boolean(${expression})`))) await Bun.sleep(10);
    },
    async click(selector) {
      await view.scrollTo(selector);
      await view.click(selector);
    },
    type: (words) => view.type(words),
    press: (key) => view.press(key),
    get requests() {
      return requests.filter((address) => address.split("#")[0] !== url);
    },
    troubles,
    [Symbol.dispose]: () => view.close(),
  };
  await page.until('document.documentElement.dataset.ready === "true"');
  return page;
}

async function watch(view: Bun.WebView, requests: string[], troubles: string[]): Promise<void> {
  const listen = (name: string, hear: (data: never) => void) =>
    view.addEventListener(name, (event) => hear((event as MessageEvent).data as never));
  listen("Network.requestWillBeSent", ({ request }: { request: { url: string } }) => {
    if (!request.url.startsWith("data:")) requests.push(request.url);
  });
  listen(
    "Runtime.exceptionThrown",
    ({ exceptionDetails }: { exceptionDetails: { text: string } }) =>
      void troubles.push(exceptionDetails.text),
  );
  listen(
    "Log.entryAdded",
    ({ entry }: { entry: { text: string } }) => void troubles.push(entry.text),
  );
  listen(
    "Page.javascriptDialogOpening",
    ({ message }: { message: string }) => void troubles.push(`dialog: ${message}`),
  );
  for (const domain of ["Network", "Runtime", "Log", "Page"]) await view.cdp(`${domain}.enable`);
}
