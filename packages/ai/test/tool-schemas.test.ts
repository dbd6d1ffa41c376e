/** Tools as the vendors get them: what is in the requests that leave. */

import { say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import type { Provider } from "../src/index.ts";
import type { ToolSchema } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { requestTo, send, stage } from "./stage.ts";
import { subjects } from "./subjects.ts";

interface SentTool {
  readonly parameters?: object;
  readonly strict?: boolean;
  readonly function?: SentTool;
  readonly functionDeclarations?: readonly SentTool[];
}

/** The one tool of the request, as it was sent. */
async function sentTo(provider: Provider, tool: ToolSchema): Promise<SentTool> {
  await using scene = await stage(provider, [turn(say("ok"))]);
  const { message } = await collect(send({ ...requestTo(scene.model), tools: [tool] }));
  expect(message.errorMessage).toBeUndefined();
  const body = scene.server.requests[0]?.body as { tools: readonly SentTool[] } | undefined;
  const [sent = {}] = body?.tools ?? [];
  return sent.functionDeclarations?.[0] ?? sent.function ?? sent;
}

function speaking(...apis: readonly string[]): readonly Provider[] {
  const chosen = subjects.filter(({ api }) => apis.includes(api));
  expect(chosen).toHaveLength(apis.length);
  return chosen;
}

const look: ToolSchema = {
  name: "look",
  description: "Looks.",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, depth: { type: "integer", minimum: 1 } },
    required: ["path"],
  },
};

describe("tools on the wire", () => {
  test("SN-01 a strict tool is closed, its optional property required and nullable, on all three APIs", async () => {
    const apis = speaking("openai-completions", "openai-responses", "openai-codex-responses");
    for (const provider of apis) {
      const sent = await sentTo(provider, { ...look, strict: true });
      expect(sent.strict).toBe(true);
      expect(sent.parameters).toEqual({
        type: "object",
        properties: {
          path: { type: "string" },
          depth: { anyOf: [{ type: "integer" }, { type: "null" }] },
        },
        required: ["path", "depth"],
        additionalProperties: false,
      });
    }
  });

  test("SN-31 a tool that cannot be strict goes out, and does not say that it is", async () => {
    const parameters = {
      type: "object",
      properties: { env: { type: "object", additionalProperties: { type: "string" } } },
    };
    for (const provider of speaking("openai-completions", "openai-responses")) {
      const sent = await sentTo(provider, { ...look, parameters, strict: true });
      expect(sent.strict ?? false).toBe(false);
      expect(sent.parameters).toEqual(parameters);
    }
  });

  test("both doors of Google get the same subset", async () => {
    const parameters = {
      type: "object",
      properties: {
        path: { type: ["string", "null"], pattern: "^/" },
        more: { $ref: "#/$defs/m" },
      },
      additionalProperties: false,
      $defs: { m: { type: "number" } },
    };
    for (const provider of speaking("google-generative-ai", "google-vertex")) {
      const sent = await sentTo(provider, { ...look, parameters });
      expect(sent.parameters).toEqual({
        type: "object",
        properties: {
          path: { type: "string", nullable: true, description: "(pattern: ^/)" },
          more: { type: "number" },
        },
      });
    }
  });
});
