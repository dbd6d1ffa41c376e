/** What the person runs by `!` and `$`: recorded, told to the model or kept from it. */

import { callTool, say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "../../../test/needs.ts";
import { sent, stage } from "./stage.ts";

describe("SESS-20", () => {
  needs("python3")(
    "! and $ are recorded and reach the model; !! and $$ are recorded and never do",
    async () => {
      await using set = await stage([turn(say("I see"))]);
      await using booted = await set.boot();
      const run = (language: "bash" | "python", text: string, isExcluded = false) =>
        booted.engine.dispatch({ type: "execute", language, text, isExcluded });
      expect(await run("bash", "echo shown; exit 3")).toEqual({
        output: "shown\n",
        exitCode: 3,
        cancelled: false,
        truncated: false,
      });
      await run("bash", "echo secret-one", true);
      expect(await run("python", "print(6 * 7)")).toMatchObject({ output: "42\n", exitCode: 0 });
      await run("python", "print('secret' + '-two')", true);
      await booted.prompt("go");
      const stored = (await set.entries()).flatMap(({ message }) => {
        const { role } = (message ?? {}) as { role?: string };
        return role?.endsWith("Execution") ? [message] : [];
      });
      expect(stored).toEqual([
        expect.objectContaining({
          role: "bashExecution",
          command: "echo shown; exit 3",
          output: "shown\n",
          exitCode: 3,
          cancelled: false,
          truncated: false,
        }),
        expect.objectContaining({ role: "bashExecution", excludeFromContext: true }),
        expect.objectContaining({ role: "pythonExecution", code: "print(6 * 7)", output: "42\n" }),
        expect.objectContaining({ role: "pythonExecution", excludeFromContext: true }),
      ]);
      const request = sent(set.model, 0);
      expect(request).toContain("echo shown; exit 3");
      expect(request).toContain("print(6 * 7)");
      expect(request).not.toContain("secret");
    },
  );
});

test("what is run during a turn is noted after its tool results, and long output is cut", async () => {
  await using set = await stage([
    turn(callTool("bash", { command: "until [ -e go ]; do sleep 0.01; done" })),
    turn(say("ok")),
  ]);
  await using booted = await set.boot();
  const running = booted.prompt("go");
  while (!booted.events.some(({ type }) => type === "tool_execution_start")) await Bun.sleep(2);
  const result = await booted.engine.dispatch({
    type: "execute",
    language: "bash",
    text: "seq 100000",
  });
  expect(result).toMatchObject({ truncated: true, artifactId: expect.any(String) });
  expect(result.output.length).toBeLessThan(60_000);
  const isNoted = () =>
    booted.events.some(
      (event) => event.type === "message_end" && event.message.role === "bashExecution",
    );
  expect(isNoted()).toBe(false);
  writeFileSync(join(set.place.path, "go"), "");
  await running;
  expect(isNoted()).toBe(true);
  const roles = (await set.entries()).flatMap(({ message }) =>
    message === undefined ? [] : [(message as { role: string }).role],
  );
  expect(roles).toEqual(["user", "assistant", "toolResult", "bashExecution", "assistant"]);
  expect(set.model.requests[1]!.refusal).toBeUndefined();
  expect(sent(set.model, 1)).toContain("seq 100000");
});

test("abort_execute ends it: cancelled, with the output so far", async () => {
  await using set = await stage([]);
  await using booted = await set.boot();
  const running = booted.engine.dispatch({
    type: "execute",
    language: "bash",
    text: "echo early; touch started; sleep 60",
  });
  while (!(await Bun.file(join(set.place.path, "started")).exists())) await Bun.sleep(5);
  await booted.engine.dispatch({ type: "abort_execute" });
  expect(await running).toMatchObject({ output: "early\n", cancelled: true });
  expect((await running).exitCode).toBeUndefined();
});

test("without python3 the person is told so", async () => {
  await using set = await stage([]);
  await using booted = await set.boot({ env: { PATH: "/nowhere" } });
  const running = booted.engine.dispatch({ type: "execute", language: "python", text: "1" });
  expect(await running.catch((error) => error)).toMatchObject({
    kind: "unsupported",
    message: "Python code cannot be run: there is no python3 in the PATH.",
  });
});
