/** What every wire protocol must do, whatever its vendor's words for it are. */

import { systemClock } from "@omp/std";
import { callTool, contractSuite, fail, manualClock, say, think, turn } from "@omp/testkit";
import { describe, expect } from "bun:test";
import type { Provider } from "../src/index.ts";
import type { Message, Model } from "../src/schema/index.ts";
import type { ModelStream } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, eventStream, KEY, requestTo, send, stage, user } from "./stage.ts";
import { skips, subjects } from "./subjects.ts";

const everything = turn(
  think("Let me look at the file first."),
  say("I will read it — naïvely, 読む, 🙂."),
  callTool("read", { path: "a.txt", range: [1, 2], deep: { yes: true } }),
  callTool("bash", { command: 'echo "hi"\n' }),
);

const OF_RESPONSES = { tool_choice: { type: "function", name: "read" } };
const OF_GOOGLE = {
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read"] } },
};
const FORCED_READ: Readonly<Partial<Record<string, object>>> = {
  "anthropic-messages": { tool_choice: { type: "tool", name: "read" } },
  "openai-completions": { tool_choice: { type: "function", function: { name: "read" } } },
  "openai-responses": OF_RESPONSES,
  "azure-openai-responses": OF_RESPONSES,
  "openai-codex-responses": OF_RESPONSES,
  "google-generative-ai": OF_GOOGLE,
  "google-vertex": OF_GOOGLE,
  "bedrock-converse-stream": { toolConfig: { toolChoice: { tool: { name: "read" } } } },
};

/** How freely words are chosen, in the vendor's words: what it takes when the model does not think. */
const OF_GEMINI = { generationConfig: { temperature: 0.4, topP: 0.9, topK: 7 } };
const SAMPLED: Readonly<Partial<Record<string, object>>> = {
  "anthropic-messages": { temperature: 0.4, top_k: 7 },
  "openai-completions": { temperature: 0.4, top_p: 0.9, presence_penalty: 0.5 },
  "openai-responses": { temperature: 0.4, top_p: 0.9 },
  "azure-openai-responses": { temperature: 0.4, top_p: 0.9 },
  "openai-codex-responses": {},
  "google-generative-ai": OF_GEMINI,
  "google-vertex": OF_GEMINI,
  "ollama-chat": {
    options: {
      temperature: 0.4,
      top_p: 0.9,
      top_k: 7,
      min_p: 0.1,
      presence_penalty: 0.5,
      repeat_penalty: 1.1,
    },
  },
  "bedrock-converse-stream": {
    inferenceConfig: { temperature: 0.4 },
    additionalModelRequestFields: { top_k: 7 },
  },
};
const SAMPLING = {
  temperature: 0.4,
  topP: 0.9,
  topK: 7,
  minP: 0.1,
  presencePenalty: 0.5,
  repetitionPenalty: 1.1,
};
const SAMPLING_WORDS = /"(temperature|top_?p|top_?k|min_?p|\w*_?penalty)":([\d.]+)/gi;

/** Every word about sampling in a body, wherever it stands. */
function samplingIn(body: unknown): readonly string[] {
  return [...JSON.stringify(body).matchAll(SAMPLING_WORDS)].map(([word]) => word).toSorted();
}

describe("protocols", () => {
  const suite = contractSuite<Provider>("protocol", (test) => {
    test("STRM-01 STRM-02 events follow the grammar, and partial holds what the deltas said", async (provider) => {
      await using scene = await stage(provider, [everything.with({ chunkBytes: 7 })]);
      const { events, types, message } = await collect(ask(scene.model));
      expect(types[0]).toBe("start");
      expect(types.at(-1)).toBe("done");
      const deltas = events.filter((event) => event.type.endsWith("_delta"));
      expect(deltas.length).toBeGreaterThan(5);
      for (const delta of deltas) {
        expect(delta).toMatchObject({
          contentIndex: expect.any(Number),
          delta: expect.any(String),
        });
        expect("partial" in delta && delta.partial).toBe(message);
      }
    });

    test("blocks come in order and whole, two tool calls among them", async (provider) => {
      await using scene = await stage(provider, [everything.with({ argumentPiece: 3 })]);
      const { message, types } = await collect(ask(scene.model));
      expect(message.content).toMatchObject([
        { type: "thinking", thinking: "Let me look at the file first." },
        { type: "text", text: "I will read it — naïvely, 読む, 🙂." },
        {
          type: "toolCall",
          name: "read",
          arguments: { path: "a.txt", range: [1, 2], deep: { yes: true } },
        },
        { type: "toolCall", name: "bash", arguments: { command: 'echo "hi"\n' } },
      ]);
      const steps = types.filter((type) => !type.endsWith("_delta"));
      expect(steps.join(" ")).toBe(
        "start thinking_start thinking_end text_start text_end " +
          "toolcall_start toolcall_end toolcall_start toolcall_end done",
      );
    });

    test("a forced tool is asked for in the vendor's words, and the vendor takes it", async (provider) => {
      await using scene = await stage(provider, [turn(callTool("read", { path: "a" }))]);
      const request = { ...requestTo(scene.model), toolChoice: { name: "read" } } as const;
      const { message } = await collect(send(request));
      expect(message.content).toMatchObject([{ type: "toolCall", name: "read" }]);
      expect(scene.server.requests[0]!.body).toMatchObject(FORCED_READ[provider.api]!);
    });

    test("SET-018 SET-019 SET-020 SET-021 SET-022 SET-023 sampling is in the vendor's fields, and the vendor takes it", async (provider) => {
      const answers = Array.from({ length: 4 }, () => turn(say("so")));
      await using scene = await stage(provider, answers);
      const plain = { ...requestTo(scene.model), model: resting(scene.model) };
      const stops: string[] = [];
      for (const request of [
        plain,
        { ...plain, sampling: {} },
        { ...plain, sampling: SAMPLING },
        // One that thinks may take less; it must not be refused.
        { ...requestTo(scene.model), sampling: SAMPLING, thinking: "high" } as const,
      ]) {
        stops.push((await collect(send(request))).message.stopReason);
      }
      expect(stops).toEqual(["stop", "stop", "stop", "stop"]);
      const sent = scene.server.requests.map(({ body }) => samplingIn(body));
      expect(sent.slice(0, 3)).toEqual([[], [], samplingIn(SAMPLED[provider.api])]);
      expect(scene.server.requests[2]!.body).toMatchObject(SAMPLED[provider.api]!);
    });

    test("STRM-03 iterating and awaiting the result give the same final message", async (provider) => {
      await using scene = await stage(provider, [everything, everything, everything]);
      const clock = manualClock();
      const iterated = await collect(ask(scene.model, { clock }));
      const awaited = await ask(scene.model, { clock }).result;
      const both = ask(scene.model, { clock });
      const early = both.result;
      await collect(both);
      const strip = (message: object) =>
        JSON.stringify(message).replace(
          /(msg_|chatcmpl-|toolu_|tooluse_|req_|call_|resp[_-]|rs_|fc_)\d+/g,
          "$1",
        );
      expect(strip(awaited.message)).toBe(strip(iterated.message));
      expect(strip((await early).message)).toBe(strip(iterated.message));
    });

    test("STRM-04 nothing that comes after the end counts", async (provider) => {
      const body = await recorded(provider, turn(say("done")));
      const twice = new Blob([body, body]).bytes();
      const fetch = async () => eventStream(await twice);
      const { types, message } = await collect(ask(modelFor(provider), { fetch }));
      expect(types.filter((type) => type === "done")).toHaveLength(1);
      expect(message.content).toMatchObject([{ type: "text", text: "done" }]);
      expect(message.content).toHaveLength(1);
    });

    test("a stream that ends after any of its bytes gives one final event and never throws", async (provider) => {
      const body = await recorded(
        provider,
        turn(think("hm"), say("é"), callTool("read", { path: "ü" })),
      );
      for (let end = 0; end < body.length; end++) {
        const fetch = async () => eventStream(body.slice(0, end));
        const { final } = await collect(ask(modelFor(provider), { fetch }));
        if (final.type === "error") expect(final.fault).toEqual({ kind: "network" });
        else expect(final.message.content).toHaveLength(3);
      }
    });

    test("the size of the network's pieces changes nothing", async (provider) => {
      const sizes = [1, 5, 4096];
      const turns = sizes.map((chunkBytes) => everything.with({ chunkBytes, textPiece: 1 }));
      await using scene = await stage(provider, turns);
      const texts: string[] = [];
      for (const _size of sizes) {
        const { message } = await collect(ask(scene.model));
        texts.push(JSON.stringify(message.content).replace(/_\d{4}_/g, "_"));
      }
      expect(new Set(texts).size).toBe(1);
    });

    test("STRM-18 arguments can be read after every delta, and are right at the end", async (provider) => {
      const args = { path: 'a"b\\c', list: [1, -2.5e3, true, null], deep: { ключ: "🙂\n" } };
      const json = JSON.stringify(args);
      const characters = Array.from(json);
      const cuts = characters.map((_, end) => characters.slice(0, end).join(""));
      const turns = cuts.map((cut) => turn(callTool("read", cut)).with({ argumentPiece: 9 }));
      await using scene = await stage(provider, turns);
      const letters = turn(callTool("read", json)).with({ argumentPiece: 1 });
      const seen: unknown[] = [];
      for await (const event of unmerged(provider, await recorded(provider, letters))) {
        const block = event.type === "toolcall_delta" ? event.partial.content[0] : undefined;
        if (block?.type === "toolCall") seen.push(structuredClone(block.arguments));
      }
      expect(seen).toHaveLength(characters.length);
      expect(seen[0]).toEqual({});
      expect(seen).toContainEqual({ path: 'a"b' });
      expect(seen).toContainEqual({ path: args.path, list: [1, -2.5e3] });
      expect(seen.at(-1)).toEqual(args);
      for (const cut of cuts) {
        const { message } = await collect(ask(scene.model));
        const broken = cut === "" ? {} : { malformedArguments: cut };
        expect(message.content[0]).toMatchObject({ type: "toolCall", arguments: {}, ...broken });
      }
    });

    test("STRM-19 what was needed for parsing is not in the final message", async (provider) => {
      await using scene = await stage(provider, [everything]);
      const { message } = await collect(ask(scene.model));
      // Which blocks are signed differs from wire to wire, and some do not name their answers.
      const isSignature = (key: string) => key.endsWith("Signature");
      const keys = message.content.map((block) =>
        Object.keys(block)
          .filter((key) => !isSignature(key))
          .toSorted()
          .join(" "),
      );
      expect(keys).toEqual([
        "thinking type",
        "text type",
        "arguments id name type",
        "arguments id name type",
      ]);
      const ownKeys = Object.keys(message).filter((key) => key !== "responseId");
      expect(ownKeys.toSorted().join(" ")).toBe(
        "api content duration model provider role stopReason timestamp ttft usage",
      );
    });

    test("arguments that are no JSON object are kept as text and never look like a call", async (provider) => {
      const broken = ['{"a":', "[1]", "null", "nonsense", '{"a":1}}'];
      await using scene = await stage(
        provider,
        broken.map((args) => turn(callTool("read", args))),
      );
      for (const malformedArguments of broken) {
        const { message } = await collect(ask(scene.model));
        expect(message.content).toMatchObject([{ arguments: {}, malformedArguments }]);
        expect(message.stopReason).toBe("toolUse");
      }
    });

    test("a call without argument text has no arguments", async (provider) => {
      await using scene = await stage(provider, [turn(callTool("read", ""))]);
      const { message } = await collect(ask(scene.model));
      const [block] = message.content;
      expect(block).toMatchObject({ type: "toolCall", arguments: {} });
      expect(block).not.toHaveProperty("malformedArguments");
    });

    test("stop reasons are translated", async (provider) => {
      const stops = ["stop", "length", "toolUse", "refused"] as const;
      await using scene = await stage(
        provider,
        // Not every wire has a word for the third: there the call says it.
        stops.map((stop) =>
          turn(stop === "toolUse" ? callTool("read", {}) : say("so")).with({ stop }),
        ),
      );
      const finals = [];
      for (const _stop of stops) finals.push((await collect(ask(scene.model))).final);
      expect(finals.map(({ reason }) => reason)).toEqual(["stop", "length", "toolUse", "error"]);
      expect(finals[3]).toMatchObject({ fault: { kind: "refused" } });
    });

    test("STRM-32 usage is the vendor's, and zero where the vendor gives none", async (provider) => {
      const usage = { input: 1_000_000, output: 200_000, cacheRead: 300_000, cacheWrite: 0 };
      await using scene = await stage(provider, [turn(say("so")).with({ usage })]);
      const { message } = await collect(ask(scene.model));
      expect(message.usage).toMatchObject({ ...usage, totalTokens: 1_500_000 });
      const { prices } = scene.model;
      const total = prices.input + prices.output * 0.2 + prices.cacheRead * 0.3;
      expect(message.usage.cost.total).toBeCloseTo(total, 9);

      const bare = withoutUsage(await recorded(provider, turn(say("so"))));
      const silent = await collect(
        ask(modelFor(provider), { fetch: async () => eventStream(bare) }),
      );
      expect(silent.final.type).toBe("done");
      expect(silent.message.usage).toMatchObject({
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
      });
    });

    test("times are measured with the clock", async (provider) => {
      const clock = manualClock();
      const body = await recorded(provider, turn(say("so")));
      clock.advance(5);
      const fetch = async () => {
        clock.advance(40);
        return eventStream(body);
      };
      const stream = ask(modelFor(provider), { clock, fetch });
      for await (const event of stream) if (event.type === "text_delta") clock.advance(60);
      const { message } = await stream.result;
      expect(message).toMatchObject({ timestamp: 5, ttft: 40, duration: 100 });
    });

    test("STRM-21 a rate limit ends in one error with the hint, an abort says that it was one", async (provider) => {
      await using scene = await stage(provider, [
        fail(429, { message: "Slow down", headers: { "retry-after": "17" } }),
        turn(say("never finished")).with({ fault: { kind: "silence", atByte: 0 } }),
      ]);
      const limited = await collect(ask(scene.model));
      expect(limited.types).toEqual(["start", "error"]);
      expect(limited.final).toMatchObject({
        reason: "error",
        fault: { kind: "rate-limit", retryAfterMs: 17_000 },
      });
      expect(limited.message.errorStatus).toBe(429);
      expect(limited.message.errorMessage).toContain("Slow down");
      expect(limited.message.errorMessage).toContain("retry after 17 s");

      const controller = new AbortController();
      const stream = ask(scene.model, { signal: controller.signal });
      await scene.server.waitForRequest(2);
      controller.abort();
      const aborted = await collect(stream);
      expect(aborted.types).toEqual(["start", "error"]);
      expect(aborted.final).not.toHaveProperty("fault");
      expect(aborted.message).toMatchObject({
        stopReason: "aborted",
        errorMessage: "Request was aborted",
      });
    });

    test("STRM-25 an abort closes the socket and keeps what has come", async (provider) => {
      const answer = turn(say("first words and many more")).with({ textPiece: 5 });
      const atByte = endOfFrameWith("first", await recorded(provider, answer));
      await using scene = await stage(provider, [
        answer.with({ fault: { kind: "silence", atByte } }),
        answer.with({ delayMs: 60_000 }),
      ]);
      const controller = new AbortController();
      const stream = ask(scene.model, { signal: controller.signal });
      for await (const event of stream) if (event.type === "text_delta") controller.abort();
      const { message } = await stream.result;
      expect(message).toMatchObject({
        stopReason: "aborted",
        content: [{ type: "text", text: "first" }],
      });
      await scene.server.waitForClosedByClient(1);

      const unanswered = new AbortController();
      const waiting = ask(scene.model, { signal: unanswered.signal });
      await scene.server.waitForRequest(2);
      unanswered.abort();
      expect((await waiting.result).message.content).toEqual([]);
      await scene.server.waitForClosedByClient(2);
    });

    test("an abort counts though the rest of the answer has arrived", async (provider) => {
      const body = await recorded(provider, turn(say("one two three")).with({ textPiece: 4 }));
      const controller = new AbortController();
      const fetch = async () => eventStream(body);
      const stream = ask(modelFor(provider), { fetch, signal: controller.signal });
      for await (const event of stream) if (event.type === "text_delta") controller.abort();
      expect((await stream.result).message).toMatchObject({
        stopReason: "aborted",
        content: [{ type: "text", text: "one " }],
      });
    });

    test("an abort before the request sends nothing", async (provider) => {
      await using scene = await stage(provider, [turn(say("no"))]);
      const { final } = await collect(ask(scene.model, { signal: AbortSignal.abort() }));
      expect(final.reason).toBe("aborted");
      expect(scene.server.requests).toHaveLength(0);
    });

    test("STRM-22 garbage in the stream ends in one error", async (provider) => {
      const answer = turn(say("some words to cut"));
      const { length } = await recorded(provider, answer);
      const positions = [0, 1, length * 0.2, length * 0.5, length * 0.8].map(Math.floor);
      const turns = positions.map((atByte) => answer.with({ fault: { kind: "garbage", atByte } }));
      await using scene = await stage(provider, turns);
      for (const _position of positions) {
        const { final } = await collect(ask(scene.model));
        expect(final).toMatchObject({ type: "error", fault: { kind: "malformed" } });
      }
      expect(scene.server.requests).toHaveLength(positions.length);
    });

    test("a connection that breaks is a network fault", async (provider) => {
      const faults = ["cut", "reset", "early-end"] as const;
      const { length } = await recorded(provider, turn(say("words")));
      const atByte = Math.floor(length * 0.5);
      const turns = faults.map((kind) => turn(say("words")).with({ fault: { kind, atByte } }));
      await using scene = await stage(provider, turns);
      for (const _fault of faults) {
        const { final } = await collect(ask(scene.model));
        expect(final).toMatchObject({ type: "error", fault: { kind: "network" } });
      }
    });

    test("silence ends in a network fault, before the first content and after it", async (provider) => {
      const whole = await recorded(provider, turn(say("words")));
      const positions = [0, whole.length - 60];
      const turns = positions.map((atByte) =>
        turn(say("words")).with({ fault: { kind: "silence", atByte } }),
      );
      await using scene = await stage(provider, turns);
      const timeouts = { firstContentMs: 30, idleMs: 20 };
      for (const limit of ["0 s", "0 s"]) {
        const { final, message } = await collect(ask(scene.model, { timeouts }));
        expect(final).toMatchObject({ type: "error", fault: { kind: "network" } });
        expect(message.errorMessage).toContain("127.0.0.1");
        expect(message.errorMessage).toContain(`sent nothing for ${limit}`);
      }
      await scene.server.waitForClosedByClient(2);
    });

    test("a slow reader is not taken for a silent provider", async (provider) => {
      const clock = manualClock();
      const bytes = await recorded(provider, turn(say("abc")).with({ textPiece: 1 }));
      const fetch = async () => eventStream(inPieces(bytes, 20));
      const timeouts = { firstContentMs: 1_000, idleMs: 1_000 };
      const stream = ask(modelFor(provider), { clock, fetch, timeouts });
      for await (const event of stream) {
        if (event.type !== "start") clock.advance(5_000);
        await Bun.sleep(1);
      }
      expect((await stream.result).type).toBe("done");
      expect(clock.waiting).toBe(0);
    });

    test("an error inside the stream is classified like a status", async (provider) => {
      const errors = [
        ["overloaded_error", "Overloaded", "overloaded"],
        ["rate_limit_error", "Too many", "rate-limit"],
        ["invalid_request_error", "prompt is too long: 9 tokens > 8", "context-overflow"],
        ["invalid_request_error", "bad field", "invalid-request"],
        ["authentication_error", "who are you", "auth"],
      ] as const;
      const turns = errors.map(([type, message]) =>
        turn(say("half")).with({ fault: { kind: "in-band-error", type, message } }),
      );
      await using scene = await stage(provider, turns);
      for (const [, text, kind] of errors) {
        const { final, message } = await collect(ask(scene.model));
        expect(final).toMatchObject({ type: "error", fault: { kind } });
        expect(message.errorMessage).toContain(text);
        expect(message.content).toMatchObject([{ type: "text", text: "half" }]);
      }
    });

    test("a missing key is the last event, and names what to set", async (provider) => {
      await using scene = await stage(provider, [turn(say("no"))]);
      const { final, message } = await collect(ask(scene.model, { apiKey: undefined }));
      expect(final).toMatchObject({ fault: { kind: "auth", reason: "missing" } });
      expect(message.errorMessage).toContain(provider.keyEnv.at(-1) ?? "?");
      expect(scene.server.requests).toHaveLength(0);
    });

    test("a server that repeats the key does not bring it into the message", async (provider) => {
      await using scene = await stage(provider, [fail(401, { message: `bad key ${KEY}!` })]);
      const { final, message } = await collect(ask(scene.model));
      expect(final).toMatchObject({ fault: { kind: "auth", reason: "denied" } });
      expect(message.errorMessage).toContain("bad key ***!");
      expect(JSON.stringify(message)).not.toContain(KEY);
    });

    test("a conversation with everything in it is accepted by the vendor's rules", async (provider) => {
      await using scene = await stage(provider, [everything, turn(say("ok"))]);
      const { message } = await collect(ask(scene.model));
      const results = message.content
        .filter((block) => block.type === "toolCall")
        .map(({ id, name }) => ({
          role: "toolResult" as const,
          toolCallId: id,
          toolName: name,
          content: [],
          isError: true,
          timestamp: 2,
        }));
      const reminder = { role: "developer" as const, content: "Be brief.", timestamp: 3 };
      const history = [user("hi"), message, ...results, reminder, user("go on")];
      const { final } = await collect(ask(scene.model, {}, history));
      expect(final.message.errorMessage).toBeUndefined();
      expect(final.reason).toBe("stop");
    });

    test("a system prompt in blocks is sent whole and in order, and says the same as one text", async (provider) => {
      await using scene = await stage(provider, [turn(say("ok")), turn(say("ok"))]);
      const history = [user("one"), user("two")];
      const request = requestTo(scene.model, history);
      const blocks = ["First block.", "", "Second block.", "Third block."];
      const { final } = await collect(send({ ...request, systemPrompt: blocks }));
      expect(final.message.errorMessage).toBeUndefined();
      const body = JSON.stringify(scene.server.requests[0]!.body);
      expect(body).toMatch(/First block\..*Second block\..*Third block\./);
      await collect(send({ ...request, systemPrompt: [] }));
      expect(JSON.stringify(scene.server.requests[1]!.body)).not.toContain('"text":""');
    });

    test("PROV-09 calls without results and results without calls are repaired before sending", async (provider) => {
      const calls = ["c1", "c2", "c3"].map((id) => callTool("read", { path: id }, id));
      await using scene = await stage(provider, [turn(...calls), turn(say("ok"))]);
      const { message } = await collect(ask(scene.model));
      const ids = message.content.map((block) => (block.type === "toolCall" ? block.id : ""));
      const result = (toolCallId: string, text: string): Message => ({
        role: "toolResult",
        toolCallId,
        toolName: "read",
        content: [{ type: "text", text }],
        isError: false,
        timestamp: 2,
      });
      const [first = "", , third = ""] = ids;
      const history = [
        result("gone", "before any call"),
        user("hi"),
        message,
        result(third, "the third"),
        user("meanwhile"),
        result(first, "the first"),
        result(first, "the first again"),
        result("gone", "of nobody"),
        user("go on"),
      ];
      const { final } = await collect(ask(scene.model, {}, history));
      expect(final.message.errorMessage).toBeUndefined();
      const sent = JSON.stringify(scene.server.requests[1]?.body);
      const kept = ["before any call", "the third", "meanwhile", "the first", "of nobody"];
      for (const text of [...kept, "There is no result"]) expect(sent).toContain(text);
      expect(sent).not.toContain("again");
    });
  });

  for (const provider of subjects) {
    suite({ name: provider.api, subject: () => provider, skip: skips[provider.api] ?? [] });
  }
});

/** The body that the vendor's server sends for an answer. */
async function recorded(provider: Provider, answer: ReturnType<typeof turn>) {
  await using scene = await stage(provider, [answer]);
  let body: Uint8Array<ArrayBuffer> = new Uint8Array();
  const fetch = async (url: string, init: BunFetchRequestInit) => {
    const response = await globalThis.fetch(url, init);
    body = new Uint8Array(await response.arrayBuffer());
    return eventStream(body);
  };
  await ask(scene.model, { fetch }).result;
  return body;
}

/** An answer that arrives in small pieces, each so long after the one before that no deltas are merged. */
function unmerged(provider: Provider, body: Uint8Array): ModelStream {
  let time = 0;
  const clock = { ...systemClock, monotonic: () => (time += 60) };
  return ask(modelFor(provider), { clock, fetch: async () => eventStream(inPieces(body, 20)) });
}

/** The same events, as a server sends them that does not count tokens. */
function withoutUsage(body: Uint8Array<ArrayBuffer>): string | Blob {
  if (isBinary(body)) {
    return new Blob(messagesIn(body).filter((message) => !textOf(message).includes('"usage"')));
  }
  const counts = ["usage", "usageMetadata", "prompt_eval_count", "eval_count"];
  const keep = (key: string, value: unknown) => (counts.includes(key) ? undefined : value);
  return new TextDecoder()
    .decode(body)
    .replace(/^(data: )?(\{.*\})/gm, (_line, field: string | undefined, json: string) => {
      return `${field ?? ""}${JSON.stringify(JSON.parse(json, keep))}`;
    });
}

/** A body that gives the next piece only when the one before was read. */
function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (at >= bytes.length) return stream.close();
    stream.enqueue(bytes.slice(at, (at += size)));
  };
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
}

function endOfFrameWith(text: string, body: Uint8Array<ArrayBuffer>): number {
  if (isBinary(body)) {
    const messages = messagesIn(body);
    const index = messages.findIndex((message) => textOf(message).includes(text));
    return messages.slice(0, index + 1).reduce((sum, message) => sum + message.length, 0);
  }
  const words = new TextDecoder().decode(body);
  const end = /\r?\n(?:\r?\n)?/g;
  end.lastIndex = words.indexOf(text);
  end.exec(words);
  return end.lastIndex;
}

/** A message of AWS's event stream begins with its length. */
function isBinary(body: Uint8Array): boolean {
  return body[0] === 0;
}

function messagesIn(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const messages: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < body.length;) {
    const length = new DataView(body.buffer, body.byteOffset + at).getUint32(0);
    messages.push(body.subarray(at, at + length));
    at += length;
  }
  return messages;
}

function textOf(message: Uint8Array): string {
  return new TextDecoder("latin1").decode(message);
}

/** The model, or where its vendor's thinking ones take less, one that does not think. */
function resting(model: Model): Model {
  return model.id.startsWith("gpt-") ? { ...model, id: "gpt-4.1", reasoning: false } : model;
}

/** A model that nobody can reach, for answers without a network. */
function modelFor(provider: Provider) {
  const [facts] = provider.models;
  if (!facts) throw new Error(`${provider.id} has no models`);
  return { ...facts, provider: provider.id, api: provider.api, baseUrl: "http://nowhere.invalid" };
}
