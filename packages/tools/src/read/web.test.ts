/** Web pages through the read tool, from a server on this machine. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { read } from "./tool.ts";
import { textPlace, webAddress } from "./web-address.ts";

type Routes = Readonly<Record<string, () => Response>>;

let bench: Workbench;
let server: Bun.Server<undefined>;
let routes: Routes;
let hits: string[];
beforeEach(() => {
  bench = createWorkbench();
  hits = [];
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      hits.push(pathname + search);
      const isWish = request.headers.get("accept")?.startsWith("text/markdown");
      const route = routes[`${isWish ? "md " : ""}${pathname}`] ?? routes[pathname];
      return route?.() ?? new Response("nothing here", { status: 404 });
    },
  });
});
afterEach(async () => {
  await server.stop(true);
  await bench[Symbol.asyncDispose]();
});

const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
const call = (path: string) => bench.call(read, { path: at(path) });
const textOf = async (path: string) => (await call(path)).text;
const body = (content: string, type: string) => () =>
  new Response(content, { headers: { "content-type": type } });
const long = "A sentence that says something about the thing. ".repeat(8);
const page = (inner: string, head = "") =>
  body(
    `<html><head><title>Title</title>${head}</head><body><nav>menu</nav><main>${inner}</main></body></html>`,
    "text/html; charset=utf-8",
  );
const link = (type: string, href: string) => `<link rel="alternate" type="${type}" href="${href}">`;
const rss = `<?xml version="1.0"?><rss><channel><title>News</title><item><title>First</title><link>http://x/1</link><description>&lt;b&gt;Bold&lt;/b&gt; words</description></item></channel></rss>`;

test("READ-61 web addresses, and the setting that turns them off", async () => {
  expect(webAddress("http://a.b/c")).toMatchObject({ url: "http://a.b/c" });
  expect(webAddress("HTTPS://a.b/c")).toMatchObject({ url: "HTTPS://a.b/c" });
  expect(webAddress("www.example.org/x")).toMatchObject({ url: "https://www.example.org/x" });
  for (const path of ["wwwx", "file:///x", "http:/x", "src/http.ts"])
    expect(webAddress(path)).toBeUndefined();
  routes = { "/": body("hello", "text/plain") };
  expect(await textOf("/")).toContain("hello");
  bench.reading = { ...bench.reading, allowsUrls: false };
  expect(await call("/")).toMatchObject({
    isError: true,
    text: expect.stringContaining("fetch.enabled"),
  });
});

describe("forms of what is there", () => {
  const table: readonly [string, string, Routes, string][] = [
    ["json", "/a", { "/a": body('{"a":[1]}', "application/json") }, '{\n  "a": [\n    1\n  ]\n}'],
    ["text", "/a", { "/a": body("plain", "text/plain") }, "plain"],
    ["text", "/a.md", { "/a.md": body("# Md", "text/markdown") }, "# Md"],
    [
      "feed",
      "/a",
      { "/a": body(rss, "application/rss+xml") },
      "# News\n\n## First\nhttp://x/1\nBold words",
    ],
    ["native", "/a", { "/a": page(`<h1>Head</h1><p>${long}</p>`) }, "# Head"],
    [
      "alternate-markdown",
      "/a",
      {
        "/a": page(long, link("text/markdown", "/b")),
        "/b": body("# Other", "text/markdown"),
        "/a.md": body("no", "text/markdown"),
      },
      "# Other",
    ],
    ["md-suffix", "/a", { "/a": page(long), "/a.md": body("# Twin", "text/plain") }, "# Twin"],
    ["md-suffix", "/a/", { "/a/": page(long), "/a.md": body("# Twin", "text/plain") }, "# Twin"],
    [
      "content-negotiation",
      "/a",
      { "md /a": body("# Wish", "text/markdown"), "/a": page(long) },
      "# Wish",
    ],
    [
      "feed",
      "/a",
      { "/a": page("", link("application/atom+xml", "/f")), "/f": body(rss, "application/xml") },
      "# News",
    ],
    ["documents", "/a", { "/a": page('<a href="x.pdf"></a>') }, "/x.pdf"],
    [
      "llms.txt",
      "/a",
      { "/a": page(""), "/llms.txt": body("# For models", "text/plain") },
      "# For models",
    ],
    ["raw-html", "/a", { "/a": page("") }, "<nav>menu</nav>"],
    ["markit", "/a", { "/a": body("{\\rtf1 rich}", "application/rtf") }, "rich"],
  ];

  test.each(table)("READ-62 READ-63 %s", async (method, path, given, expected) => {
    routes = given;
    const { text, details } = await call(path);
    const [head, ...rest] = text.split("\n\n---\n");
    const lines = head!.split("\n");
    expect(lines[0]).toBe(`URL: ${at(path)}`);
    expect(lines[1]).toStartWith("Content-Type: ");
    expect(lines[2]).toBe(`Method: ${method}`);
    expect(rest.join("\n\n---\n")).toContain(expected);
    expect(details).toMatchObject({ kind: "url", method, url: at(path), finalUrl: at(path) });
  });

  test("READ-62 places where the text itself is", () => {
    expect(textPlace("https://github.com/o/r/blob/main/src/a.ts?x#L5")).toBe(
      "https://raw.githubusercontent.com/o/r/main/src/a.ts",
    );
    expect(textPlace("https://gist.github.com/o/0123abcd")).toBe(
      "https://gist.githubusercontent.com/o/0123abcd/raw",
    );
    expect(textPlace("https://github.com/o/r")).toBeUndefined();
  });

  test("READ-84 a page is Markdown with its title, a failure has its status", async () => {
    routes = { "/p": page(`<p>${long}</p>`) };
    const text = await textOf("/p");
    expect(text).toContain("---\ntitle: Title\n---");
    expect(text).not.toContain("menu");
    expect(await call("/none")).toMatchObject({
      isError: false,
      text: expect.stringContaining("Method: failed\nNotes: Failed to fetch URL (HTTP 404)"),
    });
  });

  test("READ-65 a status that tells of a failure, and a server that is not there, are answers", async () => {
    routes = { "/e": () => new Response("broken", { status: 500 }) };
    expect(await call("/e")).toMatchObject({
      isError: false,
      text: expect.stringMatching(/Method: failed\nNotes: .*HTTP 500[\s\S]*broken/),
      details: { method: "failed", notes: ["Failed to fetch URL (HTTP 500)"] },
    });
    const gone = await bench.call(read, { path: "http://127.0.0.1:1/" });
    expect(gone).toMatchObject({ isError: false, text: expect.stringContaining("Method: failed") });
  });

  test("pages in other character sets are read as they are meant", async () => {
    const latin = Buffer.from(
      `<html><head><meta charset="iso-8859-1"></head><body><p>${long} café</p></body></html>`,
      "latin1",
    );
    routes = {
      "/meta": () => new Response(latin, { headers: { "content-type": "text/html" } }),
      "/head": () =>
        new Response(Buffer.from("caf\xe9", "latin1"), {
          headers: { "content-type": "text/plain; charset=latin1" },
        }),
      "/utf16": () =>
        new Response(Buffer.from("\ufeffcafé", "utf16le"), {
          headers: { "content-type": "text/plain" },
        }),
    };
    for (const path of ["/meta", "/head", "/utf16"]) expect(await textOf(path)).toContain("café");
  });

  test("a page that does not mark its main part is read as a whole", async () => {
    routes = {
      "/p": body(`<html><body><nav>menu</nav><div><p>${long}</p></div></body></html>`, "text/html"),
    };
    const text = await textOf("/p");
    expect(text).toContain(long.trim());
    expect(text).not.toContain("menu");
    expect(text).toContain("Method: native");
  });

  test("raw is what the server sent", async () => {
    routes = { "/a": page("<p>x</p>"), "/j": body('{"a":1}', "application/json") };
    expect(await textOf("/a:raw")).toContain("<nav>menu</nav>");
    expect(await textOf("/j:raw")).toContain('{"a":1}');
  });

  test("a picture is shown, unless it is too large", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const image = (bytes: Uint8Array) => () =>
      new Response(bytes, { headers: { "content-type": "text/plain" } });
    routes = { "/s": image(png), "/l": image(Buffer.concat([png, Buffer.alloc(400 * 1024)])) };
    const small = await call("/s");
    expect(small.text).toContain("Method: image");
    expect(small.content.at(-1)).toMatchObject({ type: "image", mimeType: "image/png" });
    const large = await call("/l");
    expect(large.content.every(({ type }) => type === "text")).toBe(true);
    expect(large.text).toContain("too large to show");
  });
});

test("READ-66 another part of a page costs no request, and a cut page is kept whole", async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`).join("\n");
  routes = { "/from": () => Response.redirect(at("/u"), 302), "/u": body(lines, "text/plain") };
  const { text, details } = await call("/from");
  expect(text).toContain("line 300\n\n[Showing lines 1-300 of 1000. Use :301 to continue]");
  expect(text).toContain("artifact://0");
  expect(details).toMatchObject({
    finalUrl: at("/u"),
    meta: { truncation: { artifactId: "0", nextLine: 301 } },
  });
  expect(readFileSync(join(bench.artifacts, "0.read.log"), "utf8")).toBe(lines);
  expect(hits).toEqual(["/from", "/u"]);
  expect(await textOf("/from:50-52")).toContain("line 49\nline 50\nline 51");
  expect(await textOf("/u:999")).toContain("line 999\nline 1000");
  expect(hits).toHaveLength(2);
  await call("/u:raw");
  expect(hits).toHaveLength(3);
});

test("READ-67 behind a bare host a colon is a port", async () => {
  expect(webAddress("https://h:8080/:5-9")).toMatchObject({
    url: "https://h:8080/",
    selector: { spans: [{ from: 5, to: 9 }] },
  });
  expect(webAddress("https://h:8080")).toMatchObject({
    url: "https://h:8080",
    selector: { spans: [] },
  });
  expect(webAddress("https://h/a:b:5-9:raw")).toMatchObject({
    url: "https://h/a:b",
    selector: { isRaw: true },
  });
  routes = { "/": body("one\ntwo\nthree", "text/plain") };
  expect(await textOf("/:2-2,3-3")).toEndWith("---\ntwo\nthree");
});
