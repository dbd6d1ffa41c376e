/** Which tools the built binary asks vendors to be strict about, and who still looks when they are not. */

import { callTool, say, scriptedModel, turn, workspace, type RecordedRequest } from "@omp/testkit";
import { expect, test } from "bun:test";
import { run } from "./stage.ts";

/** Names of the tools that a request says are strict. */
function strictOnes({ body }: RecordedRequest): string[] {
  const { tools } = body as { tools: { function: { name: string; strict?: boolean } }[] };
  return tools.flatMap(({ function: { name, strict } }) => (strict ? [name] : []));
}

const MODELS = ["one", "two"].map((id) => ({ id, api: "openai-completions" }));

test("disableStrictTools takes strict from a provider's tools; bad arguments are refused all the same", async () => {
  for (const [disableStrictTools, strict] of [
    [false, ["read", "search", "find", "edit", "write"]],
    [true, []],
  ] as const) {
    for (const { id } of MODELS) {
      await using model = await scriptedModel([
        turn(callTool("read", { file: ["no", "path"] })),
        turn(say("sorry")),
      ]);
      await using place = await workspace();
      await place.write(
        "../home/.omp/agent/models.yml",
        JSON.stringify({
          providers: {
            openai: {
              baseUrl: `${model.url}/v1`,
              apiKey: "key-of-the-test",
              disableStrictTools,
              models: MODELS,
            },
          },
        }),
      );
      const { stdout } = await run(place, model, ["-p", "--model", `openai/${id}`, "x"]);
      expect(stdout).toBe("sorry\n");
      expect(model.requests.map(strictOnes)).toEqual([[...strict], [...strict]]);
      const said = JSON.stringify(model.requests[0]!.body).includes('"strict"');
      expect(said).toBe(!disableStrictTools);
      const { messages } = model.requests[1]!.body as { messages: { content: string }[] };
      expect(messages.at(-1)).toMatchObject({ role: "tool" });
      expect(messages.at(-1)!.content).toContain("path");
    }
  }
});

test("PI_NO_STRICT: no tool is strict for OpenAI, on the wire that must say so", async () => {
  await using model = await scriptedModel([turn(say("strict")), turn(say("loose"))]);
  await using place = await workspace();
  const args = ["-p", "--model", "openai/gpt-5", "x"];
  await run(place, model, args);
  await run(place, model, args, { env: { PI_NO_STRICT: "1" } });
  expect(JSON.stringify(model.requests[0]!.body)).toContain('"strict":true');
  expect(JSON.stringify(model.requests[1]!.body)).not.toContain('"strict":true');
});
