import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadSettings } from "../store.ts";
import { modelArea } from "./model.ts";
import { valuesIn } from "./scoped-list.ts";

const HOME = "/home/ann";

test("PM-60 an entry for a path holds there and below, others everywhere; ~ is the home", async () => {
  await using place = await workspace({
    files: {
      "config.yml": `
enabledModels:
  - everywhere
  - path: ~/work
    models: [at-work]
  - paths: [/srv/a, /srv/b/]
    values: [on-server]
disabledProviders:
  - ollama
  - pathPrefix: ~/work
    providers: anthropic
  - pathPrefixes: [~/work, /srv]
    values: [openai]
`,
    },
  });
  const settings = await loadSettings({
    areas: [modelArea],
    configFile: join(place.path, "config.yml"),
    environment: {},
    flags: {},
  });
  expect(settings.problems).toEqual([]);
  const { enabledModels, disabledProviders } = settings.values(modelArea);
  const enabled = (cwd: string) => valuesIn(cwd, enabledModels, HOME);
  expect(enabled("/home/ann/work")).toEqual(["everywhere", "at-work"]);
  expect(enabled("/home/ann/work/deep/er")).toEqual(["everywhere", "at-work"]);
  expect(enabled("/home/ann/work2")).toEqual(["everywhere"]);
  expect(enabled("/home/ann")).toEqual(["everywhere"]);
  expect(enabled("/srv/b/x")).toEqual(["everywhere", "on-server"]);
  const disabled = (cwd: string) => valuesIn(cwd, disabledProviders, HOME);
  expect(disabled("/home/ann/work")).toEqual(["ollama", "anthropic", "openai"]);
  expect(disabled("/home/ann/work2")).toEqual(["ollama"]);
  expect(disabled("/srv/x")).toEqual(["ollama", "openai"]);
});

test("an entry without a path, or with keys nobody knows, is a wrong value", async () => {
  await using place = await workspace({
    files: {
      "config.yml":
        "enabledModels: [{ models: [a] }]\ndisabledProviders: [{ path: /x, provider: a }]\n",
    },
  });
  const { problems } = await loadSettings({
    areas: [modelArea],
    configFile: join(place.path, "config.yml"),
    environment: {},
    flags: {},
  });
  expect(problems.map(({ message }) => message)).toEqual([
    "enabledModels must be a list, such as [a, b]",
    "disabledProviders must be a list, such as [a, b]",
  ]);
});
