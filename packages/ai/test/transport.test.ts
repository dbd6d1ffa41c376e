/** Answers that are no streams, and servers that are not there: through the public door. */

import { manualClock } from "@omp/testkit";
import { expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import { collect } from "./grammar.ts";
import { ask, providerOf } from "./stage.ts";

const model = { ...modelOf(providerOf("openai"), "gpt-5", {}), api: "openai-completions" };

function replying(body: string, init: ResponseInit) {
  return { fetch: async () => new Response(body, init) };
}

test("a web page with status 200 is malformed, and its words are shown", async () => {
  const headers = { "content-type": "text/html; charset=utf-8" };
  const { final, message } = await collect(
    ask(model, replying("<html><body>Please log in</body></html>", { headers })),
  );
  expect(final).toMatchObject({ fault: { kind: "malformed" } });
  expect(message.errorMessage).toContain("Please log in");
});

test("a JSON error with status 200 is classified by its type", async () => {
  const body = JSON.stringify({ error: { type: "rate_limit_error", message: "later" } });
  const headers = { "content-type": "application/json" };
  const { final } = await collect(ask(model, replying(body, { headers })));
  expect(final).toMatchObject({ fault: { kind: "rate-limit" } });
});

test("a redirect says where to", async () => {
  const headers = { location: "https://other.example/v1" };
  const { message } = await collect(ask(model, replying("", { status: 308, headers })));
  expect(message.errorMessage).toContain("https://other.example/v1");
});

test("a protocol that nobody knows is an invalid request", async () => {
  const { final, message } = await collect(ask({ ...model, api: "smoke-signals" }));
  expect(final).toMatchObject({ fault: { kind: "invalid-request" } });
  expect(message.errorMessage).toContain("smoke-signals");
});

test("a base URL may end in a slash", async () => {
  let asked = "";
  const fetch = async (url: string) => {
    asked = url;
    return new Response("", { status: 500 });
  };
  await collect(ask({ ...model, baseUrl: "http://host/v1//" }, { fetch }));
  expect(asked).toBe("http://host/v1/chat/completions");
});

test("a request that nobody answers ends after the time for the first content", async () => {
  const clock = manualClock();
  const stream = ask(model, { clock, fetch: () => new Promise<Response>(() => {}) });
  while (clock.waiting === 0) await Bun.sleep(1);
  clock.advance(299_999);
  await Bun.sleep(1);
  clock.advance(1);
  const { final, message } = await collect(stream);
  expect(final).toMatchObject({ fault: { kind: "network" } });
  expect(message.errorMessage).toBe("api.openai.com sent nothing for 300 s");
});

test("pings are no content: they do not put off the end", async () => {
  const clock = manualClock();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(1);
      controller.enqueue(new TextEncoder().encode(': ping\n\ndata: {"choices":[]}\n\n'));
      clock.advance(1_000);
    },
  });
  const fetch = async () => new Response(body);
  const { message } = await collect(
    ask(model, { clock, fetch, timeouts: { firstContentMs: 9_000 } }),
  );
  expect(message.errorMessage).toContain("sent nothing for 9 s");
});
