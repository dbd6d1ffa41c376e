/** Flags of the model, up to the request they lead to. */

import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { play } from "./stage.ts";

async function asked(args: readonly string[], env: Record<string, string> = {}) {
  const played = await play([turn(say("ok"))], ["-p", "--no-session", ...args, "go"], { env });
  expect({
    code: played.exitCode,
    requests: played.requests.length,
    stderr: played.stderr,
  }).toEqual({
    code: 0,
    requests: 1,
    stderr: expect.any(String),
  });
  const { body, headers } = played.requests[0]!;
  const { model, reasoning } = body as { model: string; reasoning?: { effort: string } };
  return { model, effort: reasoning?.effort, headers, stderr: played.stderr };
}

test("CLI-10 --model, --provider, --models and --api-key reach the request", async () => {
  expect(await asked(["--model", "claude-haiku-4-5"])).toMatchObject({ model: "claude-haiku-4-5" });
  const both = await asked(["--provider", "openai", "--model", "gpt-4.1"]);
  expect(both.model).toBe("gpt-4.1");
  const scoped = await asked(["--models", "nobody*,openai/gpt-4.1-mini,claude-haiku-4-5"]);
  expect(scoped.model).toBe("gpt-4.1-mini");
  expect(scoped.stderr).toContain('No model with a key matches "nobody*"');
  const keyed = await asked(["--model", "claude-haiku-4-5", "--api-key", "flag-key-000001"]);
  expect(keyed.headers["x-api-key"]).toBe("flag-key-000001");
}, 60_000);

test("CLI-10 --smol, --slow and --plan give roles their model, above the environment", async () => {
  for (const role of ["smol", "slow", "plan"]) {
    const env = { [`PI_${role.toUpperCase()}_MODEL`]: "anthropic/claude-opus-4-5" };
    expect((await asked(["--model", role], env)).model).toBe("claude-opus-4-5");
    const flags = ["--model", `pi/${role}`, `--${role}`, "anthropic/claude-haiku-4-5"];
    expect((await asked(flags, env)).model).toBe("claude-haiku-4-5");
  }
}, 60_000);

test("CLI-10 --thinking reaches the request; a word it does not know is a wrong command line", async () => {
  const effort = async (level: string) =>
    (await asked(["--model", "openai/gpt-5", "--thinking", level])).effort;
  expect([await effort("low"), await effort("high")]).toEqual(["low", "high"]);
  const wrong = await play([], ["-p", "--thinking", "hard", "go"]);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain(
    "--thinking must be one of off, minimal, low, medium, high, xhigh",
  );
}, 60_000);
