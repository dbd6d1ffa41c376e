import { expect, test } from "bun:test";
import type { Message } from "@omp/ai/schema";
import { answer, answered, call, doors, result, said } from "../test/scratch.ts";
import { contextOf } from "./context.ts";
import type { EntryDraft, SessionEntry } from "./entry.ts";
import { SessionLog } from "./log.ts";

type AnyDraft = EntryDraft | { readonly type: string; readonly [field: string]: unknown };

/** A branch of these entries, with ids `e0`, `e1`, ... Fields of other programs are allowed. */
function branch(...drafts: AnyDraft[]) {
  return drafts.map(
    (draft, at) =>
      ({
        ...draft,
        id: `e${at}`,
        parentId: at === 0 ? null : `e${at - 1}`,
        timestamp: new Date(at * 1000).toISOString(),
      }) as SessionEntry,
  );
}

function texts(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => {
    const text =
      typeof content === "string" ? content : content.map((b) => ("text" in b ? b.text : b.type));
    return `${role}: ${typeof text === "string" ? text : text.join("|")}`;
  });
}

const contextTexts = (...drafts: AnyDraft[]) => texts(contextOf(branch(...drafts)).messages);

test("SESS-21 the default model is the latest one, in our form or pi's, and other roles are apart", () => {
  const ours = { type: "model_change", model: "bench/one" } as const;
  const pis = { type: "model_change", provider: "bench", modelId: "two" };
  expect(contextOf(branch(ours)).model).toBe("bench/one");
  expect(contextOf(branch(pis)).model).toBe("bench/two");
  expect(contextOf(branch(ours, pis)).model).toBe("bench/two");
  expect(contextOf(branch(pis, { ...ours, role: "default" })).model).toBe("bench/one");
  const context = contextOf(branch(ours, { ...pis, role: "smol" }));
  expect(context.model).toBe("bench/one");
  expect(Object.fromEntries(context.roleModels)).toEqual({
    default: "bench/one",
    smol: "bench/two",
  });
});

test("SESS-22 the last thinking level on the path counts, and null is none", () => {
  const level = (thinkingLevel: string | null) =>
    ({ type: "thinking_level_change", thinkingLevel }) as const;
  expect(contextOf(branch(level("low"), level("high"))).thinkingLevel).toBe("high");
  expect(contextOf(branch(level("low"), level(null))).thinkingLevel).toBeNull();
  expect(contextOf(branch(said("hi")))).not.toHaveProperty("thinkingLevel");
});

test("SESS-23 the last service tier counts: by family, none, or the one word of older files", () => {
  const tier = (serviceTier: unknown) => ({ type: "service_tier_change", serviceTier });
  const tiers = (...values: unknown[]) => contextOf(branch(...values.map(tier))).serviceTier;
  expect(tiers({ openai: "flex", google: "priority" })).toEqual({
    openai: "flex",
    google: "priority",
  });
  expect(tiers("priority")).toEqual({ openai: "priority" });
  expect(tiers("priority", null)).toBeNull();
  expect(tiers({ openai: "flex" }, 7)).toEqual({ openai: "flex" });
});

test("SESS-38 without a model change the answers name the model, until one is explicit", () => {
  expect(contextOf(branch(said("hi"), answered("yes"))).model).toBe("bench/bench-model");
  const explicit = { type: "model_change", model: "bench/other" } as const;
  expect(contextOf(branch(said("hi"), explicit, answered("yes"))).model).toBe("bench/other");
});

test("SESS-26 a custom entry never becomes model input", () => {
  const custom = { type: "custom", customType: "note", data: { content: "secret" } } as const;
  expect(contextTexts(said("hi"), custom, answered("yes"))).toEqual(["user: hi", "assistant: yes"]);
});

test("SESS-27 a custom message becomes model input, as text or as blocks", () => {
  const custom = { type: "custom_message", customType: "note", display: false } as const;
  const blocks = [
    { type: "text", text: "look" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ] as const;
  const drafts = [
    { ...custom, content: "mind this" },
    { ...custom, content: blocks },
  ];
  expect(contextTexts(...drafts)).toEqual(["user: mind this", "user: look|image"]);
});

test("SESS-43 an empty log gives nothing; along a path the latest choices and the latest compaction count", () => {
  const empty = contextOf(SessionLog.create({ cwd: "/", folder: undefined, ...doors() }).branch());
  expect(empty).toEqual({ messages: [], roleModels: new Map(), injectedRules: [] });

  const context = contextOf(
    branch(
      { type: "model_change", model: "bench/old" },
      said("dropped"),
      { type: "compaction", summary: "FIRST", firstKeptEntryId: "e1", tokensBefore: 9 },
      { type: "service_tier_change", serviceTier: { openai: "flex" } },
      { type: "ttsr_injection", injectedRules: ["a", "b"] },
      said("summed up"),
      said("kept"),
      { type: "mode_change", mode: "plan" },
      { type: "compaction", summary: "SECOND", firstKeptEntryId: "e6", tokensBefore: 9 },
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "model_change", model: "bench/new" },
      { type: "model_change", model: "bench/small", role: "smol" },
      { type: "ttsr_injection", injectedRules: ["b", "c"] },
      { type: "mode_change", mode: "none" },
      { type: "service_tier_change", serviceTier: { openai: "priority" } },
      said("later"),
    ),
  );
  const [summary, ...rest] = texts(context.messages);
  expect(summary).toContain("SECOND");
  expect(summary).not.toContain("FIRST");
  expect(rest).toEqual(["user: kept", "user: later"]);
  expect(context).toMatchObject({
    model: "bench/new",
    roleModels: new Map([
      ["default", "bench/new"],
      ["smol", "bench/small"],
    ]),
    thinkingLevel: "high",
    serviceTier: { openai: "priority" },
    mode: "none",
    injectedRules: ["a", "b", "c"],
  });
});

test("SESS-24 a compaction is read with and without its optional fields", () => {
  const compaction = {
    type: "compaction",
    summary: "SUM",
    firstKeptEntryId: "e1",
    tokensBefore: 9,
  };
  const extra = {
    shortSummary: "S",
    details: { readFiles: ["a"], modifiedFiles: [] },
    preserveData: { x: 1 },
    fromExtension: false,
    providerReplayThroughEntryId: "e1",
  };
  for (const form of [compaction, { ...compaction, ...extra }, { ...compaction, fromHook: true }]) {
    const [summary, ...rest] = contextTexts(said("old"), said("kept"), form, said("new"));
    expect(summary).toMatch(/^user: [^]*SUM/);
    expect(rest).toEqual(["user: kept", "user: new"]);
  }
});

test("a compaction whose kept part is not on the branch keeps nothing", () => {
  const lost = { type: "compaction", summary: "SUM", firstKeptEntryId: "gone", tokensBefore: 9 };
  const [summary, ...rest] = contextTexts(said("old"), lost, said("new"));
  expect(summary).toContain("SUM");
  expect(rest).toEqual(["user: new"]);
});

test("the kept part may begin inside a run: a result without its call is not sent", () => {
  const asked: EntryDraft = { type: "message", message: answer([call("1")], "toolUse") };
  const compaction = {
    type: "compaction",
    summary: "SUM",
    firstKeptEntryId: "e2",
    tokensBefore: 9,
  };
  const [, ...rest] = contextTexts(said("old"), asked, result("1"), answered("done"), compaction);
  expect(rest).toEqual(["assistant: done"]);
});

test("summaries, custom messages and hook messages are all said by a user, in their order", () => {
  const summary = { type: "branch_summary", fromId: "root", summary: "BRANCH" };
  const hook = { type: "message", message: { role: "hookMessage", content: "HOOK", timestamp: 5 } };
  const custom = { type: "message", message: { role: "custom", content: "CUSTOM", timestamp: 5 } };
  const compaction = {
    type: "compaction",
    summary: "COMPACT",
    firstKeptEntryId: "",
    tokensBefore: 1,
  };
  const { messages } = contextOf(branch(compaction, summary, hook, custom));
  expect(messages.map(({ role }) => role)).toEqual(["user", "user", "user", "user"]);
  const all = texts(messages).join("\n");
  expect(all).toMatch(/COMPACT[^]*BRANCH[^]*HOOK[^]*CUSTOM/);
});

test("what a person ran reaches the model unless it was kept from it", () => {
  const ran = (fields: object) => ({
    type: "message",
    message: { role: "bashExecution", command: "make", output: "broken\n", ...fields },
  });
  const [failed, cancelled, ...rest] = contextTexts(
    ran({ exitCode: 7 }),
    ran({ cancelled: true }),
    ran({ exitCode: 0, excludeFromContext: true }),
  );
  expect(failed).toMatch(/\$ make\nbroken\n\n\[exit code 7\]$/);
  expect(cancelled).toContain("[cancelled]");
  expect(rest).toEqual([]);
});

test("entries that lie about their type are passed over", () => {
  const lies = [
    { type: "message" },
    { type: "message", message: 7 },
    { type: "message", message: { role: "constructor" } },
    { type: "message", message: { role: "user" } },
    { type: "message", message: { role: "assistant", content: "text" } },
    { type: "message", message: { role: "assistant", content: [null, { type: "toolCall" }] } },
    { type: "message", message: { role: "toolResult" } },
    { type: "compaction", summary: 5 },
    { type: "branch_summary" },
    { type: "model_change", model: {} },
    { type: "ttsr_injection", injectedRules: "all" },
    { type: "toString" },
  ];
  const context = contextOf(branch(...lies, said("still here")));
  expect(texts(context.messages)).toEqual(["user: still here"]);
  expect(context).not.toHaveProperty("model");
});

test("a sound message is passed on as the object the log holds", () => {
  const entries = branch(said("hi"), answered("yes"));
  contextOf(entries).messages.forEach((message, at) => {
    const entry = entries[at];
    expect(entry && "message" in entry ? entry.message : undefined).toBe(message);
  });
});
