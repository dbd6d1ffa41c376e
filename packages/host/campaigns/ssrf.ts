/** No spelling of an address, no redirect and no name server brings a fetch to what is not on the open network. */

import { messageOf, systemClock } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { HostError } from "../src/errors.ts";
import { createWeb, type Web } from "../src/web/web.ts";
import { startNameServer, type NameServer } from "./ssrf/name-server.ts";

const campaign: Campaign = {
  name: "ssrf",
  describe:
    "80 spellings of private addresses and 20 ways to be sent to one: none is connected to.",
  fullCount: 100,
  async run({ count, report }) {
    await using stage = await createStage();
    const cases = [...URLS.map(spelled), ...SENDINGS.map(sent), ...FLIPS.map(flipped)];
    for (let at = 0; at < count; at++) {
      const { name, check } = cases[at % cases.length]!;
      const why = await check(stage).catch(messageOf);
      report(
        why === undefined
          ? { case: `${at}: ${name}`, result: "passed" }
          : { case: `${at}: ${name}`, result: "failed", why },
      );
    }
  },
};

export default campaign;

interface Case {
  readonly name: string;
  /** What is wrong, or undefined. */
  check(stage: Stage): Promise<string | undefined>;
}

/** `P` is the port of the trap. */
const LOOPBACK = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "127.0.0.2",
  "127.127.127.127",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0x7F.0x0.0x0.0x1",
  "017700000001",
  "0177.0.0.1",
  "0177.0.0.01",
  "00000177.0.0.1",
  "0",
  "0.0.0.0",
  "0x0",
  "１２７.0.0.1",
  "127。0。0。1",
  "①②⑦.⓪.⓪.①",
  "%31%32%37.0.0.1",
  "127.0.0.%31",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "sub.localhost",
  "ｌｏｃａｌｈｏｓｔ",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:1:2:3:4:80ff:fffe]",
  "inside.test",
  "mixed.test",
  "six.test",
  "mapped.test",
  "127.0.0.1.nip.test",
].map((host) => `http://${host}:P/`);

const ELSEWHERE = [
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0xa9.254.0251.0xfe/",
  "http://0251.0376.0251.0376/",
  "http://169.254.43518/",
  "http://[::ffff:169.254.169.254]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[2002:a9fe:a9fe::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::a9fe:a9fe]/",
  "http://metadata.test/computeMetadata/v1/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.0.1/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://[fc00::1]/",
  "http://[ff02::1]/",
];

const TRICKS = [
  "http://example.com@127.0.0.1:P/",
  "http://127.0.0.1:P#@example.com/",
  "http://127.0.0.1:P\\@example.com/",
  "\thttp://127.0.0.1:P/",
  "http://127.0.\n0.1:P/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:P/_GET",
  "ftp://127.0.0.1:P/",
  "ws://127.0.0.1:P/",
  "data:text/plain,x",
];

const URLS = [...LOOPBACK, ...ELSEWHERE, ...TRICKS];

/** Where a page on an allowed host sends whoever asks for it. */
const SENDINGS: readonly (readonly [status: number, location: string])[] = [
  [301, "http://127.0.0.1:P/"],
  [302, "http://127.0.0.1:P/"],
  [303, "http://127.0.0.1:P/"],
  [307, "http://127.0.0.1:P/"],
  [308, "http://127.0.0.1:P/"],
  [302, "//127.0.0.1:P/"],
  [302, "http:\\\\127.0.0.1:P\\"],
  [302, "http://2130706433:P/"],
  [302, "http://[::1]:P/"],
  [302, "http://[::ffff:127.0.0.1]:P/"],
  [302, "http://localhost:P/"],
  [302, "http://inside.test:P/"],
  [302, "http://mixed.test:P/"],
  [302, "http://start.test@127.0.0.1:P/"],
  [302, "http://169.254.169.254/"],
  [302, "file:///etc/passwd"],
  [302, "/again"],
];

/** Names whose address changes between the look and the visit. */
const FLIPS = ["flip.test", "flip-twice.test", "flip-six.test"];

function spelled(url: string): Case {
  return { name: url, check: ({ refusal }) => refusal(url) };
}

function sent([status, location]: (typeof SENDINGS)[number]): Case {
  return {
    name: `${status} to ${location}`,
    check: ({ sendTo, refusal }) => {
      sendTo(status, location);
      return refusal("http://start.test:S/");
    },
  };
}

function flipped(name: string): Case {
  return { name: `${name} changes its address`, check: ({ visit }) => visit(name) };
}

interface Stage extends AsyncDisposable {
  /** Undefined when the address was refused and nobody was connected to. */
  refusal(url: string): Promise<string | undefined>;
  sendTo(status: number, location: string): void;
  /** Undefined when the page came from the address that was looked up. */
  visit(name: string): Promise<string | undefined>;
}

async function createStage(): Promise<Stage> {
  const trap = startTrap();
  const names = await startNameServer();
  let location = { status: 302, to: "" };
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const to = new URL(request.url).pathname === "/again" ? "http://127.0.0.1:P/" : location.to;
      const headers = { location: to.replace("P", String(trap.port)) };
      return request.headers.get("host")?.startsWith("start.")
        ? new Response(null, { status: location.status, headers })
        : new Response("the right place");
    },
  });
  // The trap is at the same port of another address, where a second look would lead.
  const second = trap.alsoAt("127.0.0.2", site.port!);
  const allowed = ["start.test", ...FLIPS].map((name) => `${name}:${site.port}`);
  const web = createWeb({
    clock: systemClock,
    privateHosts: allowed,
    resolve: (name) => names.resolve(name),
    timeoutMs: 5000,
  });
  const filled = (url: string) => url.replace(":P", `:${trap.port}`).replace(":S", `:${site.port}`);
  return {
    sendTo: (status, to) => void (location = { status, to }),
    refusal: async (url) => (await refused(web, filled(url))) ?? trap.sprung(),
    visit: async (name) => (await visited(web, names, name, site.port!)) ?? trap.sprung(),
    async [Symbol.asyncDispose]() {
      second.stop(true);
      trap.stop();
      await Promise.all([site.stop(true), names.stop()]);
    },
  };
}

/** A server that nobody may connect to. */
function startTrap() {
  let connections = 0;
  const listen = (hostname: string, port: number) =>
    Bun.listen({
      hostname,
      port,
      socket: {
        open: (socket) => {
          connections++;
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrap");
        },
        data: () => undefined,
      },
    });
  // All addresses of this machine, so that no spelling leads past it.
  const trap = listen("::", 0);
  return {
    port: trap.port,
    alsoAt: listen,
    /** What is wrong, or undefined. */
    sprung: () => (connections === 0 ? undefined : `${connections} connections to the trap`),
    stop: () => trap.stop(true),
  };
}

async function refused(web: Web, url: string): Promise<string | undefined> {
  try {
    const { status } = await web.fetch({ url }, new AbortController().signal);
    return `answered with ${status}`;
  } catch (error) {
    if (error instanceof HostError && error.kind === "refused") return undefined;
    return `not refused: ${messageOf(error)}`;
  }
}

async function visited(
  web: Web,
  names: NameServer,
  name: string,
  port: number,
): Promise<string | undefined> {
  names.forget(name);
  const { bytes } = await web.fetch(
    { url: `http://${name}:${port}/` },
    new AbortController().signal,
  );
  const text = Buffer.from(bytes).toString();
  return text === "the right place" ? undefined : `came to: ${text}`;
}
