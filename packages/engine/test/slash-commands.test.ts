/** What becomes of texts that begin with `/`, on the whole engine. */

import type { Trust } from "@omp/agent";
import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CommandSource } from "../src/boot.ts";
import type { Engine } from "../src/protocol/index.ts";
import { needs } from "../../../test/needs.ts";
import { sent, stage, type Stage } from "./stage.ts";

const trusting: Trust = {
  isFolderTrusted: () => Promise.resolve(true),
  allowed: (items) => Promise.resolve(items),
};

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));

function userFile({ place }: Stage, name: string, text: string): Promise<string> {
  return place.write(`../home/.omp/agent/${name}`, text);
}

test("SLASH-16 SLASH-24 the name is the first word and fits exactly; any other text is sent as typed", async () => {
  await using set = await stage(answers(4));
  await userFile(set, "commands/foo.md", "Do $1");
  await using omp = await set.boot();
  await omp.prompt("/foo bar");
  expect(sent(set.model, 0)).toContain('"Do bar"');
  await omp.prompt("/Foo bar");
  expect(sent(set.model, 1)).toContain('"/Foo bar"');
  await omp.prompt("/nope hi");
  expect(sent(set.model, 2)).toContain('"/nope hi"');
  await omp.prompt("say /foo bar");
  expect(sent(set.model, 3)).toContain('"say /foo bar"');
});

needs("git")(
  "SLASH-03 only plain *.md right in the folder; hidden and ignored ones are left out",
  async () => {
    await using set = await stage([]);
    for (const name of ["a", ".b", "sub/c", "d"])
      await set.place.write(`.omp/commands/${name}.md`, "x");
    await set.place.write(".omp/commands/e.txt", "x");
    await set.place.write(".gitignore", "d.md\n");
    await set.place.git("init", "-q");
    await using omp = await set.boot({ trust: trusting });
    expect(await fileNames(omp.engine)).toEqual(["a"]);
  },
);

test("SLASH-05 CFG-27 the project's command hides the person's, in a folder that is trusted", async () => {
  await using set = await stage(answers(2));
  await set.place.write(".omp/commands/x.md", "project text");
  await userFile(set, "commands/x.md", "user text");
  {
    await using omp = await set.boot({ trust: trusting });
    await omp.prompt("/x");
    expect(sent(set.model, 0)).toContain("project text");
  }
  await using careful = await set.boot();
  await careful.prompt("/x");
  expect(sent(set.model, 1)).toContain("user text");
});

test("a command of a project that nobody trusts is named, and its text does not reach the model", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/commands/deploy.md", "run everything");
  await using omp = await set.boot();
  await omp.prompt("/deploy now");
  expect(sent(set.model, 0)).toContain('"/deploy now"');
  expect(set.notices.map(({ text }) => text)).toEqual([
    "/deploy of this project is not used: its folder is not trusted. The text is sent as typed.",
  ]);
});

test("SLASH-13 the description is the front matter's, else the first line, at most 60 letters", async () => {
  await using set = await stage([]);
  await userFile(
    set,
    "commands/a.md",
    "---\ndescription: Says it\nargument-hint: <file>\n---\nBody\n",
  );
  await userFile(set, "commands/b.md", "\n  First line  \nsecond\n");
  await userFile(set, "commands/c.md", `${"x".repeat(61)}\n`);
  await using omp = await set.boot();
  const list = await omp.engine.dispatch({ type: "list_slash_commands" });
  expect(list.filter(({ source }) => source === "user")).toEqual([
    { name: "a", description: "Says it", source: "user", argumentHint: "<file>" },
    { name: "b", description: "First line", source: "user" },
    { name: "c", description: `${"x".repeat(57)}...`, source: "user" },
  ]);
});

test("SLASH-15 broken front matter is a warning, and the command works", async () => {
  await using set = await stage(answers(1));
  await userFile(set, "commands/bent.md", "---\ndescription: a: b: [\n---\nDo it\n");
  await using omp = await set.boot();
  await omp.prompt("/bent");
  expect(sent(set.model, 0)).toContain('"Do it"');
  expect(set.notices).toHaveLength(1);
  expect(set.notices[0]).toMatchObject({ level: "warning" });
  expect(set.notices[0]!.text).toContain("bent.md: the front matter is not YAML");
  const list = await omp.engine.dispatch({ type: "list_slash_commands" });
  expect(list.find(({ name }) => name === "bent")?.description).toBe("a: b: [");
});

test("SLASH-04 a folder or file that cannot be used is a warning, and the others are there", async () => {
  await using set = await stage([]);
  await userFile(set, "commands/good.md", "good");
  mkdirSync(join(set.place.home, ".omp/agent/commands/folder.md"));
  await userFile(set, "commands/large.md", "x".repeat(1024 * 1024 + 1));
  await userFile(set, "commands/empty.md", "---\ndescription: Nothing\n---\n\n");
  await userFile(set, "prompts", "a file where a folder should be");
  await using omp = await set.boot();
  expect(await fileNames(omp.engine)).toEqual(["good"]);
  const told = set.notices.map(({ text }) => text).join("\n");
  expect(told).toContain("large.md: not used");
  expect(told).toContain("empty.md: not used: it has no text");
  expect(told).toContain("agent/prompts: not used: it is not a folder");
});

test("SLASH-35 the list is that of the first use: a file that comes later is unknown", async () => {
  await using set = await stage(answers(2));
  await userFile(set, "commands/one.md", "ONE");
  await using omp = await set.boot();
  await omp.prompt("/one");
  await userFile(set, "commands/two.md", "TWO");
  await omp.prompt("/two");
  expect(sent(set.model, 1)).toContain('"/two"');
  expect(await fileNames(omp.engine)).toEqual(["one"]);
});

/** A command of a source that notes its calls and answers with what it is told. */
function source(
  kind: CommandSource["kind"],
  name: string,
  answer: (args: string) => Promise<string | undefined>,
): CommandSource & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    kind,
    label: `${kind} of the test`,
    calls,
    commands: async () => [
      {
        name,
        description: `A ${kind} command`,
        async run(args) {
          calls.push(args);
          const text = await answer(args);
          return text === undefined ? { kind: "done" } : { kind: "prompt", text };
        },
      },
    ],
  };
}

test("SLASH-26 SLASH-27 extension, custom, file, template: the first that knows the name has it", async () => {
  await using set = await stage(answers(4));
  await userFile(set, "commands/x.md", "from the file");
  await userFile(set, "prompts/x.md", "from the template");
  const extension = source("extension", "x", async () => undefined);
  const custom = source("custom", "x", async (args) => `from the module: ${args}`);
  {
    await using all = await set.boot({ commandSources: [custom, extension] });
    const result = await all.prompt('/x a "b c"');
    expect(result).toEqual({ stopReason: "stop", text: "", thinking: "", isCommand: true });
    expect(extension.calls).toEqual(['a "b c"']);
    expect(set.model.requests).toHaveLength(0);
    await all.engine.dispatch({ type: "prompt", text: "/x as typed", expands: false });
    expect(sent(set.model, 0)).toContain('"/x as typed"');
    expect(extension.calls).toHaveLength(1);
  }
  {
    await using without = await set.boot({ commandSources: [custom] });
    await without.prompt("/x a");
    expect(sent(set.model, 1)).toContain('"from the module: a"');
  }
  {
    await using files = await set.boot();
    await files.prompt("/x");
    expect(sent(set.model, 2)).toContain('"from the file"');
  }
  await Bun.file(join(set.place.home, ".omp/agent/commands/x.md")).delete();
  await using templates = await set.boot();
  await templates.prompt("/x");
  expect(sent(set.model, 3)).toContain('"from the template"');
});

test("SLASH-28 a custom command's text may call a file command; nothing returned sends nothing", async () => {
  await using set = await stage(answers(1));
  await userFile(set, "commands/foo.md", "Foo of $1");
  const custom = source("custom", "go", async (args) => (args === "" ? undefined : `/foo ${args}`));
  await using omp = await set.boot({ commandSources: [custom] });
  await omp.prompt("/go x");
  expect(sent(set.model, 0)).toContain('"Foo of x"');
  expect(await omp.prompt("/go")).toMatchObject({ isCommand: true, text: "" });
  expect(set.model.requests).toHaveLength(1);
});

test("SLASH-29 a command that fails is reported and counts as done", async () => {
  for (const kind of ["extension", "custom"] as const) {
    await using set = await stage([]);
    const broken = source(kind, "bad", () => Promise.reject(new Error("no luck")));
    await using omp = await set.boot({ commandSources: [broken] });
    expect(await omp.prompt("/bad")).toMatchObject({ stopReason: "stop", isCommand: true });
    expect(set.notices).toEqual([{ level: "error", text: "/bad failed: no luck" }]);
    expect(set.model.requests).toHaveLength(0);
  }
});

test("SLASH-31 SLASH-32 an extension's command runs at once during a run, and cannot be queued", async () => {
  await using set = await stage([
    turn(say("slow")).with({ fault: { kind: "silence", atByte: 5 } }),
  ]);
  const extension = source("extension", "ext", async () => undefined);
  await using omp = await set.boot({ commandSources: [extension] });
  const running = omp.prompt("go");
  await set.model.waitForRequest(1);
  expect(await omp.prompt("/ext now")).toMatchObject({ isCommand: true });
  expect(extension.calls).toEqual(["now"]);
  expect(omp.engine.snapshot().isRunning).toBe(true);
  for (const type of ["steer", "follow_up"] as const) {
    await expect(omp.engine.dispatch({ type, text: "/ext later" })).rejects.toThrow(
      "/ext is a command of an extension and cannot be queued",
    );
  }
  await omp.engine.dispatch({ type: "steer", text: "/unknown is fine" });
  expect(extension.calls).toEqual(["now"]);
  await omp.engine.dispatch({ type: "abort" });
  expect((await running).stopReason).toBe("aborted");
});

test("SLASH-30 what is typed during a run is expanded before it is queued", async () => {
  await using set = await stage([
    turn(say("slow")).with({ fault: { kind: "silence", atByte: 5 } }),
  ]);
  await userFile(set, "commands/foo.md", "Foo of $1");
  await using omp = await set.boot();
  const running = omp.prompt("go");
  await set.model.waitForRequest(1);
  const { engine } = omp;
  await engine.dispatch({ type: "prompt", text: "/foo a", streamingBehavior: "steer" });
  await engine.dispatch({ type: "prompt", text: "/foo b", streamingBehavior: "followUp" });
  expect(engine.snapshot().queue).toMatchObject({
    steering: [{ text: "Foo of a" }],
    followUp: [{ text: "Foo of b" }],
  });
  await expect(omp.prompt("/foo c")).rejects.toThrow();
  await engine.dispatch({ type: "abort" });
  await running;
});

test("SLASH-04 a source that cannot list its commands is a warning, and the others are there", async () => {
  await using set = await stage([]);
  const broken: CommandSource = {
    kind: "extension",
    label: "broken",
    commands: () => Promise.reject(new Error("no list")),
  };
  const good = source("extension", "good", async () => undefined);
  await using omp = await set.boot({ commandSources: [broken, good] });
  await omp.prompt("/good");
  expect(good.calls).toEqual([""]);
  expect(set.notices).toEqual([{ level: "warning", text: "Commands of broken: no list" }]);
});

test("SOP-34 built-in commands come before files of their name; /continue is none", async () => {
  await using set = await stage(answers(1));
  await userFile(set, "commands/thinking.md", "file");
  await using omp = await set.boot();
  expect(await omp.prompt("/thinking")).toMatchObject({ isCommand: true });
  await omp.prompt("/continue");
  expect(sent(set.model, 0)).toContain('"/continue"');
});

test("a start without a slash reads no command files", async () => {
  await using set = await stage(answers(1));
  const path = await userFile(set, "commands/bent.md", "---\na: b: c\n---\n");
  chmodSync(path, 0o600);
  await using omp = await set.boot();
  await omp.prompt("hi");
  expect(set.notices).toEqual([]);
});

async function fileNames(engine: Engine): Promise<string[]> {
  const list = await engine.dispatch({ type: "list_slash_commands" });
  return list
    .filter(({ source: from }) => from === "user" || from === "project")
    .map(({ name }) => name);
}
