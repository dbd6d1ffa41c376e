/** What single settings and variables change, seen where it counts: at the model, in a shell, in a question. */

import type { UiPort, UiRequest } from "@omp/agent";
import { callTool, say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { house, sent, stage, type Stage, type StageOptions } from "./stage.ts";

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));
const bashOnce = (command: string, more: object = {}) => [
  turn(callTool("bash", { command, ...more })),
  turn(say("ok")),
];

/** What the model hears of its one tool call. */
async function heard(set: Stage, options: StageOptions = {}): Promise<string> {
  await using omp = await set.boot(options);
  const before = set.model.requests.length;
  await omp.prompt("go");
  return sent(set.model, before + 1);
}

describe("models", () => {
  const OPUS = "claude-opus-4-6";
  const KEYS = { ANTHROPIC_API_KEY: "key-000001", OPENROUTER_API_KEY: "key-000002" };

  async function chosen(set: Stage, options: StageOptions): Promise<string> {
    await using omp = await set.boot(options);
    const { provider, id } = omp.engine.snapshot().model;
    return `${provider}/${id}`;
  }

  test("SET-002 modelProviderOrder says whose model an official id is", async () => {
    await using set = await stage([]);
    const model = { model: OPUS };
    const routed = "openrouter/anthropic/claude-opus-4.6";
    expect(await chosen(set, { env: KEYS, model })).toBe(`anthropic/${OPUS}`);
    const config = "modelProviderOrder: [openrouter, anthropic]\n";
    expect(await chosen(set, { env: KEYS, model, config })).toBe(routed);
  });

  test("SET-003 enabledModels offers these only; an entry with a path counts below it only", async () => {
    await using set = await stage([]);
    const extraProviders = [house("a", "b", "c")];
    const { path } = set.place;
    const scopedTo = (folder: string) =>
      `enabledModels:\n  - { path: ${JSON.stringify(folder)}, models: [house/c] }\n  - house/b\n`;
    const first = (config: string) => chosen(set, { extraProviders, config });
    expect(await first("enabledModels: [house/b]\n")).toBe("house/b");
    expect(await first(scopedTo(path))).toBe("house/c");
    expect(await first(scopedTo(join(path, "elsewhere")))).toBe("house/b");
    for (const form of [
      { paths: ["/nowhere", path], models: ["house/c"] },
      { pathPrefix: path, values: ["house/c"] },
      { pathPrefixes: [join(path, "..")], models: ["house/c"] },
    ]) {
      expect(await first(`enabledModels: ${JSON.stringify([form])}\n`)).toBe("house/c");
    }
    const config = "enabledModels: [house/b, house/c]\n";
    await using omp = await set.boot({ extraProviders, config });
    const cycle = () => omp.engine.dispatch({ type: "cycle_model" } as const);
    const ids = [await cycle(), await cycle()].map((next) => next?.model.id);
    expect(ids).toEqual(["c", "b"]);
  });

  test("SET-004 disabledProviders switches off providers and sources apart; a path limits it", async () => {
    await using set = await stage(answers(5));
    await set.place.write(".claude/CLAUDE.md", "CLAUDE-TEXT");
    const extraProviders = [house("a")];
    const seen = async (config: string) => {
      await using omp = await set.boot({ config, extraProviders, model: { models: ["*"] } });
      const models = await omp.engine.dispatch({ type: "list_models" });
      await omp.prompt("hi");
      const hasModels = models.some(({ provider }) => provider === "anthropic");
      return {
        hasModels,
        hasFile: sent(set.model, set.model.requests.length - 1).includes("CLAUDE-TEXT"),
      };
    };
    expect(await seen("")).toEqual({ hasModels: true, hasFile: true });
    expect(await seen("disabledProviders: [claude]\n")).toEqual({
      hasModels: true,
      hasFile: false,
    });
    expect(await seen("disabledProviders: [anthropic]\n")).toEqual({
      hasModels: false,
      hasFile: true,
    });
    const within = (path: string) =>
      `disabledProviders: [{ paths: [${path}], values: [claude, anthropic] }]\n`;
    expect(await seen(within(set.place.path))).toEqual({ hasModels: false, hasFile: false });
    expect(await seen(within("/elsewhere"))).toEqual({ hasModels: true, hasFile: true });
  });
});

describe("sampling", () => {
  /** A server of one's own takes all of it. */
  async function ownServer(set: Stage): Promise<StageOptions> {
    const vllm = {
      baseUrl: `${set.model.url}/v1`,
      api: "openai-completions",
      apiKey: "key-000001",
      models: [{ id: "open" }],
    };
    const yaml = JSON.stringify({ providers: { vllm } });
    await set.place.write("../home/.omp/agent/models.yml", yaml);
    return { model: { model: "vllm/open" } };
  }

  const FIELDS = [
    ["temperature", "temperature", 0],
    ["topP", "top_p", 0.8],
    ["topK", "top_k", 40],
    ["minP", "min_p", 0.05],
    ["presencePenalty", "presence_penalty", 1.5],
    ["repetitionPenalty", "repetition_penalty", 1.1],
  ] as const;

  async function asked(set: Stage, config: string): Promise<Record<string, unknown>> {
    await using omp = await set.boot({ ...(await ownServer(set)), config });
    await omp.prompt("hi");
    return set.model.requests.at(-1)!.body as Record<string, unknown>;
  }

  test("SET-018 SET-019 SET-020 SET-021 SET-022 SET-023 what is set is sent, and nothing else", async () => {
    await using set = await stage(answers(1 + FIELDS.length), { strict: false });
    const usual = await asked(set, "");
    for (const [, field] of FIELDS) expect(usual).not.toHaveProperty(field);
    for (const [name, field, value] of FIELDS) {
      const body = await asked(set, `${name}: ${value}\n`);
      const sampled = FIELDS.map(([, one]) => one).filter((one) => one in body);
      expect([sampled, body[field]]).toEqual([[field], value]);
    }
  });

  test("SET-018 a change counts from the next prompt; -1 takes it back", async () => {
    await using set = await stage(answers(3), { strict: false });
    await using omp = await set.boot(await ownServer(set));
    const temperatures: unknown[] = [];
    for (const config of ["temperature: 0.5", "temperature: 0.7", "temperature: -1"]) {
      await set.place.write("../home/.omp/agent/config.yml", `${config}\n`);
      await omp.prompt("hi");
      temperatures.push((set.model.requests.at(-1)!.body as { temperature?: number }).temperature);
    }
    expect(temperatures).toEqual([0.5, 0.7, undefined]);
  });
});

describe("approval", () => {
  /** Somebody who answers every question the same way. */
  function person(accepted: boolean): UiPort & { readonly asked: readonly UiRequest[] } {
    const asked: UiRequest[] = [];
    return {
      asked,
      request: async (request) => (asked.push(request), { kind: "approve", accepted }),
      tell: () => {},
    };
  }

  const MODES = [
    ["always-ask", ["Allow tool: write", "Allow tool: bash"]],
    ["write", ["Allow tool: bash"]],
    ["yolo", []],
  ] as const;
  test.each(MODES)("SET-059 in the mode %s the person is asked for %j", async (mode, questions) => {
    const calls = [
      callTool("read", { path: "seen.txt" }),
      callTool("write", { path: "new.txt", content: "x" }),
      callTool("bash", { command: "touch ran" }),
    ];
    await using set = await stage([turn(...calls), turn(say("ok"))]);
    await set.place.write("seen.txt", "SEEN");
    const ui = person(true);
    const config = `tools: { approvalMode: ${mode} }\n`;
    expect(await heard(set, { ui, config, settings: {} })).toContain("SEEN");
    expect(ui.asked.map((one) => (one.kind === "approve" ? one.title : ""))).toEqual([
      ...questions,
    ]);
    expect(existsSync(join(set.place.path, "ran"))).toBe(true);
  });

  const POLICIES = [
    ["yolo", "deny", true, { asked: 0, ran: false }],
    ["yolo", "prompt", false, { asked: 1, ran: false }],
    ["yolo", "prompt", true, { asked: 1, ran: true }],
    ["always-ask", "allow", false, { asked: 0, ran: true }],
  ] as const;
  test.each(POLICIES)(
    "SET-060 in the mode %s a tool that is set to %s is judged by that (answer %p)",
    async (mode, policy, answer, expected) => {
      await using set = await stage(bashOnce("touch ran"));
      const ui = person(answer);
      const config = `tools: { approvalMode: ${mode}, approval: { bash: ${policy} } }\n`;
      const told = await heard(set, { ui, config, settings: {} });
      const ran = existsSync(join(set.place.path, "ran"));
      expect({ asked: ui.asked.length, ran }).toEqual(expected);
      expect(told.includes("Refused")).toBe(!ran);
    },
  );
});

describe("shell", () => {
  test("SET-065 tools.maxTimeout caps what the model asks for, and the default", async () => {
    for (const more of [{ timeout: 60 }, {}]) {
      await using set = await stage(bashOnce("echo early; sleep 30", more));
      const config = "tools: { maxTimeout: 1 }\n";
      expect(await heard(set, { config })).toContain(
        "early\\n\\nCommand timed out after 1 seconds",
      );
    }
  });

  test("SET-092 shellPath runs commands, the person's own too", async () => {
    await using set = await stage(bashOnce("echo inside"));
    const wrapper = await set.place.write(
      "wrapper",
      '#!/bin/sh\n[ "$1" = -l ] && exec /bin/sh "$@"\necho WRAPPED\nexec /bin/sh "$@"\n',
    );
    chmodSync(wrapper, 0o755);
    const config = `shellPath: ${JSON.stringify(wrapper)}\n`;
    expect(await heard(set, { config })).toContain("WRAPPED\\ninside");
    await using omp = await set.boot({ config });
    const run = { type: "execute", text: "echo $0", language: "bash" } as const;
    expect((await omp.engine.dispatch(run)).output).toBe("WRAPPED\n/bin/sh\n");
  });

  /** What a command of the person prints. */
  async function printed(
    text: string,
    env: Readonly<Record<string, string>>,
    profile = "",
  ): Promise<string> {
    await using set = await stage([]);
    await set.place.write("../home/.profile", profile);
    await using omp = await set.boot({ env });
    return (await omp.engine.dispatch({ type: "execute", text, language: "bash" })).output;
  }

  test("ENV-124 CI is true in shells unless that is not wanted", async () => {
    expect(await printed("echo $CI", {})).toBe("true\n");
    expect(await printed("echo $CI", { PI_BASH_NO_CI: "1" })).toBe("\n");
    expect(await printed("echo $CI", { CLAUDE_BASH_NO_CI: "1" })).toBe("\n");
  });

  test("ENV-125 commands have what the profile exports, unless no login shell is wanted", async () => {
    const profile = "echo noise; export X='of the\nprofile'\n";
    expect(await printed('echo "$X"', {}, profile)).toBe("of the\nprofile\n");
    expect(await printed('echo "$X"', { PI_BASH_NO_LOGIN: "1" }, profile)).toBe("\n");
    expect(await printed('echo "$X"', { CLAUDE_BASH_NO_LOGIN: "1" }, profile)).toBe("\n");
  });

  test("ENV-125 a profile brings back no key, no editor, and nothing that omp was started with", async () => {
    const profile =
      "export ANTHROPIC_API_KEY=key-of-profile EDITOR=vi GIVEN=profile PATH=/of/profile:/usr/bin\n";
    const command = 'echo "[$ANTHROPIC_API_KEY][$EDITOR][$GIVEN]"; echo "$PATH"';
    const [values, path] = (await printed(command, { GIVEN: "start" }, profile)).split("\n");
    expect(values).toBe("[][true][start]");
    expect(path).toStartWith(process.env["PATH"]!.split(":")[0]!);
    expect(path!.split(":")).toContain("/of/profile");
  });

  test("ENV-126 a prefix stands before every command", async () => {
    expect(await printed("ls", { PI_SHELL_PREFIX: "echo" })).toBe("ls\n");
    expect(await printed("ls", { CLAUDE_CODE_SHELL_PREFIX: "echo" })).toBe("ls\n");
    await using set = await stage(bashOnce("ls"));
    expect(await heard(set, { env: { PI_SHELL_PREFIX: "echo prefixed" } })).toContain(
      "prefixed ls",
    );
  });
});

const VARIANTS = ["hashline", "replace", "patch", "apply_patch"] as const;
test("ENV-119 PI_EDIT_VARIANT chooses the form of edits; any other word leaves the usual one", async () => {
  await using set = await stage(answers(VARIANTS.length + 2));
  const schemaWith = async (env: Readonly<Record<string, string>>) => {
    await using omp = await set.boot({ env });
    await omp.prompt("hi");
    const { tools } = set.model.requests.at(-1)!.body as {
      tools: readonly { name: string; input_schema: object }[];
    };
    return JSON.stringify(tools.find(({ name }) => name === "edit")!.input_schema);
  };
  const usual = await schemaWith({});
  const schemas: string[] = [];
  for (const PI_EDIT_VARIANT of VARIANTS) schemas.push(await schemaWith({ PI_EDIT_VARIANT }));
  expect(schemas[0]).toBe(usual);
  expect(new Set(schemas).size).toBe(VARIANTS.length);
  expect(await schemaWith({ PI_EDIT_VARIANT: "foo" })).toBe(usual);
});
