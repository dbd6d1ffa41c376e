/** The floor of RPC mode: answers each line with one of the length it was started with, and does nothing else. */

const answer = `${"x".repeat(Number(process.argv[2]) - 1)}\n`;
const sink = Bun.stdout.writer();
void sink.write("ready\n");
await sink.flush();
for await (const chunk of Bun.stdin.stream()) {
  for (const byte of chunk) if (byte === 0x0a) void sink.write(answer);
  await sink.flush();
}

export {};
