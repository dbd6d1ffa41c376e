/** The way to a page: judged at every step, kept to, and bounded. */

import { systemClock } from "@omp/std";
import { sampleCampaign } from "@omp/testkit";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib from "node:zlib";
import { needs } from "../../../../test/needs.ts";
import ssrf from "../../campaigns/ssrf.ts";
import { isPublicAddress } from "./address.ts";
import { createWeb, type WebOptions } from "./web.ts";

const signal = new AbortController().signal;
const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

function serve(answer: (request: Request) => Response | Promise<Response>): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  servers.push(server);
  return server.port!;
}

const web = (options: Partial<WebOptions> = {}) =>
  createWeb({ clock: systemClock, privateHosts: ["*"], ...options });
const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test("any form of an address that is not on the open network is refused, by whatever way one gets there", async () => {
  await sampleCampaign(ssrf, { seed: 1, count: 100 });
}, 30_000);

const PUBLIC = [
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "100.63.1.1",
  "192.167.1.1",
  "2606:4700::1111",
  "64:ff9b::8.8.8.8",
];
test.each(PUBLIC)("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

test("a private host that the settings name is fetched, by name or with its port; others are not", async () => {
  const port = serve(() => new Response("inside"));
  for (const host of ["127.0.0.1", `127.0.0.1:${port}`]) {
    const allowed = web({ privateHosts: [host] });
    expect((await allowed.fetch({ url: `http://127.0.0.1:${port}/` }, signal)).status).toBe(200);
    const other = failure(allowed.fetch({ url: `http://localhost:${port}/` }, signal));
    expect(await other).toMatchObject({ kind: "refused" });
  }
});

test("a name is looked up once, and that address is kept to with the right Host", async () => {
  const port = serve((request) => new Response(request.headers.get("host")));
  let lookUps = 0;
  const resolve = () => Promise.resolve(lookUps++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
  const { bytes } = await web({ resolve }).fetch({ url: `http://site.test:${port}/` }, signal);
  expect(Buffer.from(bytes).toString()).toBe(`site.test:${port}`);
  expect(lookUps).toBe(1);
});

test("of several addresses the first that answers is taken", async () => {
  const port = serve(() => new Response("ok"));
  const resolve = () => Promise.resolve(["127.0.0.9", "127.0.0.1"]);
  expect((await web({ resolve }).fetch({ url: `http://x.test:${port}/` }, signal)).status).toBe(
    200,
  );
});

needs("openssl")("the certificate must be that of the name, whatever the address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "omp-web-"));
  const [key, cert] = [join(folder, "k"), join(folder, "c")];
  const subject = ["-subj", "/CN=right.test", "-addext", "subjectAltName=DNS:right.test"];
  Bun.spawnSync([
    "openssl",
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    cert,
    ...subject,
  ]);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key: Bun.file(key), cert: Bun.file(cert) },
    fetch: () => new Response("safe"),
  });
  servers.push(server);
  const ca = await Bun.file(cert).text();
  const there = web({ ca, resolve: () => Promise.resolve(["127.0.0.1"]) });
  const get = (name: string) => there.fetch({ url: `https://${name}:${server.port}/` }, signal);
  expect((await get("right.test")).status).toBe(200);
  expect(await failure(get("wrong.test"))).toMatchObject({ kind: "network" });
  // Nor does a connection that was made for one name serve another.
  expect((await get("right.test")).status).toBe(200);
  expect(await failure(get("wrong.test"))).toMatchObject({ kind: "network" });
  rmSync(folder, { recursive: true });
});

describe("limits", () => {
  test("redirects are followed, but not for ever", async () => {
    const port = serve((request) => {
      const left = Number(new URL(request.url).searchParams.get("n"));
      return left === 0
        ? new Response("end")
        : new Response(null, { status: 307, headers: { location: `?n=${left - 1}` } });
    });
    const url = (n: number) => `http://127.0.0.1:${port}/?n=${n}`;
    expect(await web().fetch({ url: url(10) }, signal)).toMatchObject({ status: 200, url: url(0) });
    expect(await failure(web().fetch({ url: url(11) }, signal))).toMatchObject({ kind: "network" });
  });

  test("a body that is too long ends, whether its length is told, hidden or a lie", async () => {
    const endless = () =>
      new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) });
    const bodies = [() => new Response(new Uint8Array(3000)), () => new Response(endless())];
    for (const answer of bodies) {
      const port = serve(answer);
      const end = failure(
        web().fetch({ url: `http://127.0.0.1:${port}/`, maxBytes: 2000 }, signal),
      );
      expect(await end).toMatchObject({ kind: "too-large" });
    }
  });

  const CODINGS = [
    ["gzip", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
    ["br", zlib.brotliCompressSync],
    ["zstd", zlib.zstdCompressSync],
  ] as const;
  test.each(CODINGS)("what is packed by %s is unpacked, within the limit", async (coding, pack) => {
    const answers = [
      pack(Buffer.from("words")),
      pack(Buffer.alloc(30 * 2 ** 20)),
      Buffer.from("not packed"),
    ];
    const port = serve((request) => {
      const nth = Number(new URL(request.url).pathname.slice(1));
      return new Response(answers[nth], { headers: { "content-encoding": coding } });
    });
    const get = (nth: number) => web().fetch({ url: `http://127.0.0.1:${port}/${nth}` }, signal);
    expect(Buffer.from((await get(0)).bytes).toString()).toBe("words");
    expect(await failure(get(1))).toMatchObject({ kind: "too-large" });
    expect(await failure(get(2))).toMatchObject({ kind: "damaged" });
  });

  test("a server that drips or is silent is given up", async () => {
    const drip = () =>
      new ReadableStream({
        async pull(stream) {
          await Bun.sleep(20);
          stream.enqueue(new Uint8Array(1));
        },
      });
    for (const answer of [
      () => new Response(drip()),
      () => Bun.sleep(5000).then(() => new Response()),
    ]) {
      const port = serve(answer);
      const end = failure(
        web({ timeoutMs: 200 }).fetch({ url: `http://127.0.0.1:${port}/` }, signal),
      );
      expect(await end).toMatchObject({ kind: "timeout" });
    }
  });

  test("a name server that is silent is given up", async () => {
    const silent = web({ timeoutMs: 50, resolve: () => new Promise(() => undefined) });
    const end = failure(silent.fetch({ url: "http://x.test/" }, signal));
    expect(await end).toMatchObject({ kind: "timeout" });
  });

  test("an abort is an abort", async () => {
    const port = serve(() => Bun.sleep(5000).then(() => new Response()));
    const controller = new AbortController();
    const end = failure(web().fetch({ url: `http://127.0.0.1:${port}/` }, controller.signal));
    setTimeout(() => controller.abort(), 20);
    expect(await end).toMatchObject({ name: "AbortError" });
  });
});
