/** Keys on their way: into requests, and into nothing else. */

import { callTool, fail, say, sessionFiles, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCredentialStore } from "../src/vault/credential-store.ts";
import { stage } from "./stage.ts";

const KEY = "stored-key-4711-secret";

test("a stored key is used before the environment's", async () => {
  await using set = await stage([turn(say("hi")), turn(say("hi"))]);
  const path = join(set.place.home, ".omp/agent/agent.db");
  await createCredentialStore(path).setApiKey("anthropic", KEY);
  {
    await using booted = await set.boot();
    await booted.prompt("go");
  }
  await using alone = await set.boot({ env: { ANTHROPIC_API_KEY: undefined } });
  await alone.prompt("go");
  expect(set.model.requests.map(({ headers }) => headers["x-api-key"])).toEqual([KEY, KEY]);
});

test("a key that a server or a tool repeats reaches neither log nor session nor events", async () => {
  await using set = await stage([
    turn(callTool("bash", { command: "env; echo done" })),
    fail(401, { message: `invalid key: ${KEY}` }),
  ]);
  const path = join(set.place.home, ".omp/agent/agent.db");
  await createCredentialStore(path).setApiKey("anthropic", KEY);
  await using booted = await set.boot({
    env: { PI_DEBUG: "1", OPENAI_API_KEY: "other-key-0815-secret" },
  });
  const result = await booted.prompt("go");
  expect(result.errorMessage).toContain("invalid key: ***");
  const logs = join(set.place.home, ".omp/logs");
  const written = [
    ...readdirSync(logs).map((name) => join(logs, name)),
    ...(await sessionFiles(set.place.home)),
  ].map((file) => readFileSync(file, "utf8"));
  expect(written.length).toBeGreaterThan(1);
  for (const text of [...written, JSON.stringify(booted.events)]) {
    expect(text).not.toContain(KEY);
    expect(text).not.toContain("other-key-0815-secret");
  }
});
