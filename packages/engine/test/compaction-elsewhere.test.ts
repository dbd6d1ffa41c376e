/** Summaries that others make, and work that goes on in another session. */

import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { compactionStage, long, measured, QUICK, SMALL, talk } from "./compaction-stage.ts";
import { entriesIn, fileOf, files, headerIn } from "./session-stage.ts";
import type { BootedEngine, StageOptions } from "./stage.ts";

interface Seen {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

function server(answer: (seen: Seen) => Response | Promise<Response>) {
  const seen: Seen[] = [];
  const http = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const one = {
        path: new URL(request.url).pathname,
        body: (await request.json()) as Record<string, unknown>,
      };
      seen.push(one);
      return answer(one);
    },
  });
  return {
    seen,
    url: `http://127.0.0.1:${http.port}`,
    [Symbol.dispose]: () => void http.stop(true),
  };
}

async function compactionIn(booted: BootedEngine) {
  return (await entriesIn(fileOf(booted))).findLast(({ type }) => type === "compaction")!;
}

test("COMP-37 SET-187 an endpoint of one's own writes the summary; without one in its answer the model does", async () => {
  let isBroken = false;
  using own = server(() => Response.json(isBroken ? { text: "no" } : { summary: "FROM ENDPOINT" }));
  await using set = await compactionStage();
  const config = `compaction: { keepRecentTokens: 700, remoteEndpoint: "${own.url}/sum" }\n`;
  await using booted = await set.boot({ ...SMALL, config });
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  expect(own.seen).toHaveLength(1);
  expect(Object.keys(own.seen[0]!.body)).toEqual(["systemPrompt", "prompt"]);
  expect(String(own.seen[0]!.body["prompt"])).toContain("<conversation>");
  expect(set.summaries()).toEqual([]);
  expect((await compactionIn(booted))["summary"]).toStartWith("FROM ENDPOINT");
  isBroken = true;
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  expect(set.summaries()).toHaveLength(1);
  expect((await compactionIn(booted))["summary"]).toContain("SUMMARY");
});

const sealed = [
  { type: "message", role: "user", content: [{ type: "input_text", text: "kept by OpenAI" }] },
  { type: "compaction", encrypted_content: "c2VhbGVk" },
];

/** OpenAI, whose models speak the Responses API, at an address of ours. */
function openai(url: string, more = ""): StageOptions {
  return {
    model: { model: "openai/gpt-5-mini" },
    env: { OPENAI_BASE_URL: `${url}/v1` },
    config: `${QUICK}compaction: { keepRecentTokens: 700${more} }\n`,
  };
}

/** Answers compactions, and passes all else on to the scripted model. */
function gateway(target: () => string, compact: () => Response) {
  const seen: Seen[] = [];
  const http = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      if (!pathname.endsWith("/compact")) {
        const headers = { "content-type": "application/json", authorization: "Bearer x" };
        return fetch(`${target()}${pathname}`, { method: "POST", body, headers });
      }
      seen.push({ path: pathname, body: JSON.parse(body) as Record<string, unknown> });
      return compact();
    },
  });
  return {
    seen,
    url: `http://127.0.0.1:${http.port}`,
    [Symbol.dispose]: () => void http.stop(true),
  };
}

test("COMP-36 SET-186 OpenAI compacts by itself; what it gives back is kept and sent to it again", async () => {
  await using set = await compactionStage();
  let status = 200;
  using between = gateway(
    () => set.model.url,
    () => Response.json({ object: "response.compaction", output: sealed }, { status }),
  );
  await using booted = await set.boot(openai(between.url));
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  expect(between.seen[0]!.path).toBe("/v1/responses/compact");
  expect(between.seen[0]!.body["model"]).toBe("gpt-5-mini");
  expect(JSON.stringify(between.seen[0]!.body["input"])).toContain(long("one"));
  expect(JSON.stringify(between.seen[0]!.body["input"])).not.toContain(long("five"));
  expect(set.summaries()).toEqual([]);
  expect((await compactionIn(booted))["preserveData"]).toEqual({
    openaiRemoteCompaction: {
      provider: "openai",
      model: "gpt-5-mini",
      replacementHistory: sealed,
    },
  });
  await booted.prompt("next");
  const { input } = set.turns().at(-1)!.body as { input: object[] };
  expect(input).toContainEqual(sealed[1]!);
  expect(JSON.stringify(input)).toContain(long("five"));
  const anthropic = { provider: "anthropic", modelId: "claude-haiku-4-5" };
  await booted.engine.dispatch({ type: "set_model", ...anthropic });
  await booted.prompt("somebody else");
  const elsewhere = JSON.stringify(set.turns().at(-1)!.body);
  expect(elsewhere).not.toContain("c2VhbGVk");
  expect(elsewhere).toContain("made without a model");
  await booted.engine.dispatch({ type: "set_model", provider: "openai", modelId: "gpt-5-mini" });
  status = 500;
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  expect(set.summaries()).toHaveLength(1);
  expect(await compactionIn(booted)).not.toHaveProperty("preserveData");
});

test("COMP-38 with remoteEnabled false neither is asked", async () => {
  await using set = await compactionStage();
  using own = server(() => Response.json({ summary: "never" }));
  using between = gateway(
    () => set.model.url,
    () => Response.json({ output: sealed }),
  );
  const off = `, remoteEnabled: false, remoteEndpoint: "${own.url}"`;
  await using booted = await set.boot(openai(between.url, off));
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  expect([own.seen, between.seen]).toEqual([[], []]);
  expect(set.summaries()).toHaveLength(1);
});

test("COMP-39 COMP-40 a handoff asks with the same words as the run, and goes on in a new session", async () => {
  const ok = turn(say("ok"));
  const document = turn(say("# Handoff\n\nDo the rest."));
  await using set = await compactionStage([ok, ok, ok, ok, ok, document]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const old = fileOf(booted);
  const { id } = booted.engine.snapshot().session.header;
  await booted.prompt("/handoff mind the tests");
  const [last, asked] = set
    .turns()
    .slice(-2)
    .map(({ body }) => body as { messages: object[]; tools: object[]; tool_choice?: unknown });
  expect(asked!.tools).toEqual(last!.tools);
  expect(asked!.messages.slice(0, last!.messages.length)).toEqual(last!.messages);
  expect(asked!.messages).toHaveLength(last!.messages.length + 2);
  expect(JSON.stringify(asked!.messages.at(-1))).toContain("mind the tests");
  expect(asked!.tool_choice).toBe("none");
  expect(fileOf(booted)).not.toBe(old);
  expect(await headerIn(fileOf(booted))).toMatchObject({ parentSession: id });
  const [first] = await entriesIn(fileOf(booted));
  expect(first).toMatchObject({
    type: "custom_message",
    customType: "handoff",
    content: "# Handoff\n\nDo the rest.",
    display: true,
  });
  expect((await entriesIn(old)).map(({ type }) => type)).not.toContain("compaction");
  await booted.prompt("go");
  expect(JSON.stringify(set.turns().at(-1)!.body)).toContain("Do the rest.");
});

test("COMP-13 SET-181 SET-195 at the threshold the work is handed off after the prompt; without a document it is compacted", async () => {
  const ok = turn(say("ok"));
  for (const document of ["the document", ""]) {
    const answer = document === "" ? turn(say(" ")) : turn(say(document));
    await using set = await compactionStage([ok, ok, ok, ok, ok, measured("big", 90_000), answer]);
    const config = `${QUICK}compaction: { keepRecentTokens: 700, strategy: handoff, handoffSaveToDisk: true }\n`;
    await using booted = await set.boot({ ...SMALL, config });
    await talk(booted);
    const before = fileOf(booted);
    expect(await booted.prompt("go")).toMatchObject({ text: "big" });
    while (booted.engine.snapshot().isCompacting) await Bun.sleep(5);
    const entries = await entriesIn(before);
    const isCompacted = entries.some(({ type }) => type === "compaction");
    expect(isCompacted).toBe(document === "");
    expect(await files(set)).toHaveLength(document === "" ? 1 : 2);
    if (document === "") continue;
    const kept = Bun.file(`${fileOf(booted).replace(/\.jsonl$/, "")}/handoff.md`);
    expect(await kept.text()).toBe("the document\n");
  }
});

test("COMP-13 a prompt that finds a handoff due waits for it", async () => {
  await using set = await compactionStage();
  {
    await using booted = await set.boot(SMALL);
    await talk(booted);
  }
  const config =
    "compaction: { keepRecentTokens: 700, thresholdTokens: 1500, strategy: handoff }\n";
  await using booted = await set.boot({ ...SMALL, config, session: { kind: "continue" } });
  const before = fileOf(booted);
  await booted.prompt("go on");
  expect(fileOf(booted)).not.toBe(before);
  const request = JSON.stringify(set.turns().at(-1)!.body);
  expect(request).toContain("go on");
  expect(request).not.toContain(long("one"));
});

test("COMP-55 a handoff can be aborted: nothing has changed", async () => {
  const ok = turn(say("ok"));
  const slow = turn(say("late")).with({ delayMs: 60_000 });
  await using set = await compactionStage([ok, ok, ok, ok, ok, slow]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const { session } = booted.engine.snapshot();
  const before = JSON.stringify(session);
  const handing = booted.engine.dispatch({ type: "handoff" });
  await set.model.waitForRequest(6);
  await booted.engine.dispatch({ type: "abort_compaction" });
  expect(await handing).toEqual({ cancelled: true });
  expect(JSON.stringify(booted.engine.snapshot().session)).toBe(before);
});
