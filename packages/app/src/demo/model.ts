/** The demo's model on the wire: answers an OpenAI Chat request inside this process, word by word. */

import { nextStep, type ChatMessage, type Step } from "./script.ts";

/** Slow enough to watch, quick enough not to bore. */
const WORD_DELAY_MS = 15;

export async function answerAsModel(url: string, init?: RequestInit): Promise<Response> {
  const { messages } = (await new Request(url, init).json()) as {
    messages: readonly ChatMessage[];
  };
  const pending = frames(nextStep(messages), messages.length);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(WORD_DELAY_MS);
      const { value, done } = pending.next();
      controller.enqueue(encoder.encode(`data: ${done ? "[DONE]" : JSON.stringify(value)}\n\n`));
      if (done) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function* frames({ text, call }: Step, turn: number): Generator<object> {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: `demo-${turn}`,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  for (const word of text.split(/(?<= )/)) yield chunk({ content: word });
  if (call) {
    const json = JSON.stringify(call.arguments);
    const { name } = call;
    yield chunk({
      tool_calls: [
        { index: 0, id: `call_${turn}`, type: "function", function: { name, arguments: json } },
      ],
    });
  }
  yield chunk({}, call ? "tool_calls" : "stop");
}
