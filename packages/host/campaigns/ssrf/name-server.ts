/** A name server of our own on this machine: some names lead inside, some change their mind. */

import dgram from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";

export interface NameServer {
  /** All addresses of a name, asked for as a resolver does. */
  resolve(name: string): Promise<readonly string[]>;
  /** The name begins anew with its first answer. */
  forget(name: string): void;
  stop(): Promise<void>;
}

/** Answers in turn; the last one stays. */
const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "inside.test": [["127.0.0.1"]],
  "mixed.test": [["8.8.8.8", "127.0.0.1"]],
  "six.test": [["::1"]],
  "mapped.test": [["::ffff:7f00:1"]],
  "127.0.0.1.nip.test": [["127.0.0.1"]],
  "metadata.test": [["169.254.169.254"]],
  localhost: [["127.0.0.1", "::1"]],
  "localhost.": [["127.0.0.1"]],
  "sub.localhost": [["127.0.0.1"]],
  "start.test": [["127.0.0.1"]],
  "flip.test": [["127.0.0.1"], ["127.0.0.2"]],
  "flip-twice.test": [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"], ["127.0.0.2"]],
  "flip-six.test": [["127.0.0.1"], ["::1"]],
};

const A = 1;
const AAAA = 28;

export async function startNameServer(): Promise<NameServer> {
  const socket = dgram.createSocket("udp4");
  const asked = new Map<string, number>();
  const addressesOf = (name: string, type: number): readonly string[] => {
    const turns = NAMES[name] ?? NAMES[`${name}.`] ?? [];
    const key = `${name} ${type}`;
    const turn = asked.get(key) ?? 0;
    asked.set(key, turn + 1);
    const answer = turns[Math.min(turn, turns.length - 1)] ?? [];
    return answer.filter((address) => address.includes(":") === (type === AAAA));
  };
  socket.on("message", (query, { port, address }) => {
    socket.send(replyTo(query, addressesOf), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const resolver = new dns.promises.Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    async resolve(name) {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return found.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    },
    forget(name) {
      for (const type of [A, AAAA]) asked.delete(`${name} ${type}`);
    },
    async stop() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

/** The question as it came, and an answer for each address, good for no time at all. */
function replyTo(query: Buffer, addressesOf: (name: string, type: number) => readonly string[]) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const answers = addressesOf(labels.join(".").toLowerCase(), type).map((address) =>
    answerOf(type, address),
  );
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  return Buffer.concat([head, question, ...answers]);
}

function answerOf(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split(".").map(Number)) : sixteenBytes(address);
  const record = Buffer.alloc(12);
  // The name is the one of the question.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

/** Of an address that has its gap in front. */
function sixteenBytes(address: string): Buffer {
  const groups = address.replace(/^::/, "").split(":");
  const bytes = Buffer.alloc(16);
  for (const [at, group] of groups.entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 16 - (groups.length - at) * 2);
  }
  return bytes;
}
