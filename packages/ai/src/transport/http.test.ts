/** Connections that fail, hang or are given up. */

import { describe, expect, test } from "bun:test";
import { bytesOf, hostOf, post } from "./http.ts";

const never = new AbortController().signal;

function postTo(url: string, signal = never, fetch = globalThis.fetch) {
  return post({ url, headers: { "x-api-key": "secret" }, body: { a: 1 } }, fetch, signal);
}

describe("post", () => {
  test("nobody there is a network fault in plain words", async () => {
    const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { port } = server;
    server.stop(true);
    const error = await postTo(`http://127.0.0.1:${port}/v1`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      fault: { kind: "network" },
      message: `Could not reach 127.0.0.1:${port}: connection refused`,
    });
  });

  test("a connection that closes without an answer is a network fault", async () => {
    const socket = { data: (client: { end(): void }) => client.end() };
    using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
    const error = await postTo(`http://127.0.0.1:${server.port}/`).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ fault: { kind: "network" } });
  });

  test("a redirect is not followed: it would take the key along", async () => {
    let visits = 0;
    await using server = Bun.serve({
      port: 0,
      fetch: () => {
        visits++;
        return Response.redirect("/elsewhere", 307);
      },
    });
    const response = await postTo(server.url.href);
    expect(response.status).toBe(307);
    expect(visits).toBe(1);
  });

  test("an abort ends a request that ignores its signal", async () => {
    const controller = new AbortController();
    const deaf = Object.assign(() => new Promise<Response>(() => {}), { preconnect() {} });
    const waiting = postTo("http://nowhere.invalid", controller.signal, deaf);
    controller.abort("enough");
    expect(await waiting.catch((reason: unknown) => reason)).toBe("enough");
  });
});

describe("bytesOf", () => {
  test("an abort ends a body that ignores its signal", async () => {
    const controller = new AbortController();
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream({ cancel: () => cancelled.resolve() });
    const reading = Array.fromAsync(bytesOf(new Response(body), "host", controller.signal));
    controller.abort("enough");
    expect(await reading.catch((reason: unknown) => reason)).toBe("enough");
    await cancelled.promise;
  });

  test("an abort between the answer and its first byte closes the body, too", async () => {
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream({ cancel: () => cancelled.resolve() });
    const reading = Array.fromAsync(bytesOf(new Response(body), "host", AbortSignal.abort("no")));
    expect(await reading.catch((reason: unknown) => reason)).toBe("no");
    await cancelled.promise;
  });

  test("leaving closes the body", async () => {
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull: (stream) => stream.enqueue(new Uint8Array([1])),
      cancel: () => cancelled.resolve(),
    });
    for await (const _chunk of bytesOf(new Response(body), "host", never)) break;
    await cancelled.promise;
  });

  test("a body that breaks names the host and not the address", async () => {
    const body = new ReadableStream({
      pull() {
        throw Object.assign(new Error("https://user:secret@host/"), { code: "ECONNRESET" });
      },
    });
    const reading = Array.fromAsync(bytesOf(new Response(body), "host", never));
    await expect(reading).rejects.toMatchObject({
      fault: { kind: "network" },
      message: "The connection to host broke: the other side closed it",
    });
  });
});

test("hostOf leaves out what may be secret", () => {
  expect(hostOf("https://user:secret@api.example.com:8443/v1?key=x")).toBe("api.example.com:8443");
  expect(hostOf("not a url")).toBe("not a url");
});
