/** The floor: an agent with nothing but the loop. What omp does in the same time is what it costs more. */

type Block = {
  type: string;
  id?: string;
  text?: string;
  name?: string;
  input?: { command: string };
};

const [, , flag, asked] = process.argv;
if (flag === "--version") console.log("floor/0");
else await run(asked ?? "");

async function run(text: string): Promise<void> {
  const messages: { role: string; content: unknown }[] = [{ role: "user", content: text }];
  for (;;) {
    const content = await ask(messages);
    messages.push({ role: "assistant", content });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return console.log(content.map((block) => block.text ?? "").join(""));
    const results = [];
    for (const { id, input } of calls) {
      const child = Bun.spawn(["bash", "-c", input!.command], { stdout: "pipe", stderr: "pipe" });
      const output = await new Response(child.stdout).text();
      await child.exited;
      results.push({ type: "tool_result", tool_use_id: id, content: output });
    }
    messages.push({ role: "user", content: results });
  }
}

async function ask(messages: unknown): Promise<Block[]> {
  const response = await fetch(`${process.env["ANTHROPIC_BASE_URL"]}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": process.env["ANTHROPIC_API_KEY"]! },
    body: JSON.stringify({ model: "floor", max_tokens: 1024, stream: true, messages }),
  });
  const blocks: Block[] = [];
  for (const line of (await response.text()).split("\n")) {
    if (!line.startsWith("data: ")) continue;
    const event = JSON.parse(line.slice(6));
    if (event.type === "content_block_start") blocks[event.index] = event.content_block;
    if (event.delta?.type === "text_delta") blocks[event.index]!.text += event.delta.text;
    if (event.delta?.partial_json)
      blocks[event.index]!.input = JSON.parse(event.delta.partial_json);
  }
  return blocks;
}

export {};
