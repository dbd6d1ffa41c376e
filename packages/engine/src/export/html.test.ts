/** The page as text: what it embeds, what it must not contain, how it is put together. */

import { expect, test } from "bun:test";
import { base64Parts } from "./base64.ts";
import { defaultName, exportData, type ExportData } from "./data.ts";
import { renderHtml } from "./html.ts";
import { jsonParts } from "./json.ts";

const header = {
  type: "session",
  version: 3,
  id: "s1",
  timestamp: "2026-11-15T09:30:00.000Z",
  cwd: "/p",
} as const;

function sample(text: string, title?: string): ExportData {
  const entry = {
    type: "message",
    id: "a1",
    parentId: null,
    timestamp: header.timestamp,
    message: { role: "user", content: text, timestamp: 1 },
  } as const;
  return exportData({ ...header, ...(title && { title }) }, [entry], "a1", {
    systemPrompt: "Be brief.",
    tools: [{ name: "bash", description: "Runs", parameters: { type: "object" } }],
  });
}

function embeddedIn(html: string): unknown {
  const base64 = /<script id="session-data" type="application\/json">([^<]*)</.exec(html)?.[1];
  return JSON.parse(Buffer.from(base64 ?? "", "base64").toString("utf8"));
}

const HOSTILE = `</script><script>alert(1)</script><!-- "'&%%omp:data%% ${"$"}& é🌊\u0000 \ud800`;

test("the page embeds the data as base64 of JSON, whatever it holds", async () => {
  const data = sample(HOSTILE, HOSTILE);
  const html = await renderHtml(data);
  expect(embeddedIn(html)).toEqual(JSON.parse(JSON.stringify(data)));
  expect(html).not.toContain("alert(1)</script>");
  expect(html.match(/<script/g)).toHaveLength(2);
});

test("nothing in the page refers to another place, and its policy allows none", async () => {
  const html = await renderHtml(sample("hi"));
  const shell = html.replaceAll(/<script[^>]*>.*?<\/script>/gs, "");
  expect(shell).not.toMatch(/\b(?:src|srcset|action)=|<link|<iframe|<base|@import|url\(/);
  expect(html).toContain(`content="default-src 'none'; script-src 'sha256-`);
  expect(html).toContain('<meta name="referrer" content="no-referrer"');
});

test("the policy names the very script and styles of the page", async () => {
  const html = await renderHtml(sample("hi"), { colors: { userMessageBg: "#202028" } });
  const contents = [...html.matchAll(/<(?:style|script)>(.*?)<\/(?:style|script)>/gs)];
  expect(contents).toHaveLength(3);
  for (const [, content = ""] of contents) {
    const hash = new Bun.CryptoHasher("sha256").update(content).digest("base64");
    expect(html).toContain(`'sha256-${hash}'`);
  }
});

test("pieces of JSON and base64 are the whole, also across blocks", () => {
  const data = sample("ü".repeat(1_000_000));
  const json = [...jsonParts(data)].join("");
  expect(json).toBe(JSON.stringify(data));
  expect([...base64Parts(jsonParts(data))].join("")).toBe(Buffer.from(json).toString("base64"));
});

test("a page is named after the session file", () => {
  expect(defaultName("/a/b/2026_x.jsonl", "html")).toBe("omp-session-2026_x.html");
});
