/** `rule://` and `skill://`: what the prompt announces can be read. */

import { ToolFailure } from "@omp/agent";
import { ArtifactStore } from "@omp/session";
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { createResourceDoor } from "../src/resources/door.ts";
import { discoveryStage, type DiscoveryStage } from "./discovery-stage.ts";

const { signal } = new AbortController();

function doorOf(set: DiscoveryStage) {
  const artifacts = new ArtifactStore(() => undefined);
  const door = createResourceDoor({ artifacts, discovery: set.discovery() });
  return async (url: string) => {
    try {
      const { contentType, text } = await door.find(url, signal);
      return `${contentType}: ${await text()}`;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return error.message;
    }
  };
}

test("RULE-25 RULE-26 IURL-12 rule:// gives the text of rules that the prompt knows, by their exact names", async () => {
  await using set = await discoveryStage();
  await set.write(
    [".omp/rules/book.md", "---\ndescription: d\n---\n\nproject text\n"],
    ["agent/rules/book.md", "---\ndescription: d\n---\nuser text"],
    [".omp/rules/always.md", "---\nalwaysApply: true\n---\nalways text"],
    [".omp/rules/late.md", "---\ndescription: d\ncondition: x\n---\nlate text"],
    [".omp/rules/mute.md", "no metadata"],
  );
  const read = doorOf(set);
  expect(await read("rule://book")).toBe("text/markdown: project text");
  expect(await read("rule://always")).toBe("text/markdown: always text");
  for (const name of ["Book", "late", "mute", "nope"]) {
    expect(await read(`rule://${name}`)).toBe(`Unknown rule: ${name}\nAvailable: always, book`);
  }
});

test("SPM-04 IURL-11 skill:// gives a skill and the files of its folder, and nothing else", async () => {
  await using set = await discoveryStage();
  await set.write(
    [".omp/skills/fly/SKILL.md", "---\ndescription: d\n---\nflap"],
    [".omp/skills/fly/ref.md", "reference"],
    [".omp/skills/fly/data/a.txt", "data"],
    ["secret.md", "secret"],
  );
  symlinkSync(set.at("secret.md"), set.at(".omp/skills/fly/link.md"));
  const read = doorOf(set);
  expect(await read("skill://fly")).toBe("text/markdown: ---\ndescription: d\n---\nflap");
  expect(await read("skill://fly/ref.md")).toBe("text/markdown: reference");
  expect(await read("skill://fly/data/a.txt")).toBe("text/plain: data");
  expect(await read("skill://fly/none")).toBe("File not found: none");
  for (const path of ["../../../secret.md", "/etc/passwd", "link.md", "..%2F..%2Frules"]) {
    expect(await read(`skill://fly/${path}`)).toContain("stay in the skill's folder");
  }
  expect(await read("skill://Fly")).toBe("Unknown skill: Fly\nAvailable: fly");
});
