/** One conversation with two models: what each of them said is accepted by the other, and by itself afterwards. */

import { callTool, say, think, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import type { Provider } from "../src/index.ts";
import type { AssistantMessage, Message } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, stage, user } from "./stage.ts";
import { subjects } from "./subjects.ts";

const pairs = subjects.flatMap((first) =>
  subjects
    .filter(({ api }) => api !== first.api)
    .map((second) => [first.api, second.api, first, second] as const),
);

describe("switching", () => {
  test.each(pairs)("STRM-35 from %s to %s and back", async (_from, _to, first, second) => {
    await using home = await stage(first, [working("home"), turn(say("back"))]);
    await using away = await stage(second, [working("away")]);
    const history: Message[] = [user("hi")];
    const steps = [home, away, home] as const;
    for (const { model } of steps) {
      const { message } = await collect(ask(model, {}, history));
      expect(message.errorMessage).toBeUndefined();
      history.push(message, ...resultsOf(message), user("go on"));
    }
    const abroad = JSON.stringify(away.server.requests[0]?.body);
    expect(abroad).toContain("words of home");
    expect(abroad).not.toContain("thoughts of home");
    expect(abroad).not.toContain(sealOf("home"));
    const back = JSON.stringify(home.server.requests[1]?.body);
    expect(back).toContain("words of away");
    expect(back).not.toContain("thoughts of away");
    expect(back).not.toContain(sealOf("away"));
  });

  test.each(subjects.filter(({ api }) => !api.endsWith("-responses")).map(named))(
    "STRM-13 %s gets one id it accepts for a call that Responses named",
    async (_api, other) => {
      await using responses = await stage(subjectOf("openai-responses"), [
        turn(callTool("read", { path: "a" }, "call_1|fc_1")),
      ]);
      const { message } = await collect(ask(responses.model));
      expect(message.content).toMatchObject([{ id: "call_1|fc_1" }]);
      await using away = await stage(other, [turn(say("ok"))]);
      const history = [user("hi"), message, ...resultsOf(message)];
      const { final } = await collect(ask(away.model, {}, history));
      expect(final.type).toBe("done");
      const sent = JSON.stringify(away.server.requests[0]?.body);
      expect(sent).not.toContain("|");
    },
  );
});

/** An answer with everything that must not travel as it is. */
function working(name: string) {
  return turn(
    think(`thoughts of ${name}`, sealOf(name)),
    say(`words of ${name}`),
    callTool("read", { path: "a" }),
    callTool("bash", { path: "b" }),
  );
}

function sealOf(name: string): string {
  return Buffer.from(`seal of ${name}`).toString("base64");
}

function resultsOf(message: AssistantMessage): Message[] {
  return message.content
    .filter((block) => block.type === "toolCall")
    .map(({ id, name }) => ({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content: [{ type: "text", text: "done" }],
      isError: false,
      timestamp: 2,
    }));
}

function named(provider: Provider) {
  return [provider.api, provider] as const;
}

function subjectOf(api: string): Provider {
  const found = subjects.find((provider) => provider.api === api);
  if (!found) throw new Error(`no subject speaks ${api}`);
  return found;
}
