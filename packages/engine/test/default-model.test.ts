/** The default model of a provider is looked up without its catalogue, and is the same model all the same. */

import { providers } from "@omp/ai";
import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { models } from "./model-server.ts";

test("the default model is the one that the catalogue has, whoever has a say in it", async () => {
  await using place = await workspace();
  const yaml =
    "providers:\n  mistral:\n    modelOverrides:\n      devstral-latest: { maxTokens: 7 }\n";
  await using rooms = await models(place, { yaml });
  for (const { id, defaultModel } of providers) {
    if (defaultModel === undefined) continue;
    const provider = rooms.registry.providers.find((one) => one.id === id)!;
    const known = await rooms.registry.modelNamed(provider, defaultModel);
    const listed = (await rooms.registry.modelsOf(id)).find((model) => model.id === defaultModel);
    expect(known).toEqual(listed);
  }
  const mistral = rooms.registry.providers.find(({ id }) => id === "mistral")!;
  const said = await rooms.registry.modelNamed(mistral, "devstral-latest");
  expect(said).toMatchObject({ maxTokens: 7 });
});
