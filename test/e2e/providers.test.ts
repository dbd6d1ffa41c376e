/** Providers that want more than a key, through the built binary: signatures, access tokens, gateways, models.yml. */

import { runOmp, say, scriptedModel, turn, workspace, type ScriptedModel } from "@omp/testkit";
import { expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";

/** omp against the scripted server with exactly these variables. */
async function ask(
  model: ScriptedModel,
  selector: string,
  env: Record<string, string>,
  config = "",
) {
  await using place = await workspace({ files: { "credentials.json": env["CREDENTIALS"] ?? "" } });
  if (config !== "") await place.write("../home/.omp/agent/models.yml", config);
  const result = await runOmp(["-p", "--model", selector, "hi"], {
    cwd: place.path,
    home: place.home,
    env: { ...env, GOOGLE_APPLICATION_CREDENTIALS: join(place.path, "credentials.json") },
  });
  return { ...result, request: model.requests[0] };
}

test("Bedrock without a bearer token: the request is signed with the keys of the environment", async () => {
  await using model = await scriptedModel([turn(say("from Bedrock"))]);
  const { stdout, request } = await ask(
    model,
    "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    {
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.url,
      AWS_ACCESS_KEY_ID: "AKIATESTTESTTEST",
      AWS_SECRET_ACCESS_KEY: "a-secret-of-the-test",
      AWS_REGION: "eu-west-3",
    },
  );
  expect(stdout).toBe("from Bedrock\n");
  expect(request?.headers["authorization"]).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIATESTTESTTEST\/\d{8}\/eu-west-3\/bedrock\/aws4_request/,
  );
});

test("Vertex without a key: a service account is exchanged for an access token", async () => {
  await using model = await scriptedModel([turn(say("from Vertex"))]);
  using issuer = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ access_token: "token-of-the-test", expires_in: 3600 }),
  });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const credentials = {
    type: "service_account",
    client_email: "test@example.invalid",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    token_uri: `http://127.0.0.1:${issuer.port}/token`,
  };
  const place = "/v1/projects/my-project/locations/europe-west4";
  const config = `providers:\n  google-vertex:\n    baseUrl: ${model.url}${place}\n`;
  const variables = {
    CREDENTIALS: JSON.stringify(credentials),
    GOOGLE_CLOUD_PROJECT: "my-project",
    GOOGLE_CLOUD_LOCATION: "europe-west4",
  };
  const { stdout, stderr, request } = await ask(
    model,
    "google-vertex/gemini-2.5-pro",
    variables,
    config,
  );
  expect({ stdout, stderr }).toEqual({ stdout: "from Vertex\n", stderr: "Working...\n" });
  expect(request?.headers["authorization"]).toBe("Bearer token-of-the-test");
  expect(request?.path).toStartWith(place);
});

test("a company's gateway: its address, its key as a bearer, its headers", async () => {
  await using model = await scriptedModel([turn(say("from the gateway"))]);
  const { stdout, request } = await ask(model, "anthropic/claude-sonnet-4-5", {
    CLAUDE_CODE_USE_FOUNDRY: "1",
    FOUNDRY_BASE_URL: model.url,
    ANTHROPIC_FOUNDRY_API_KEY: "gateway-key-0001",
    ANTHROPIC_API_KEY: "never-sent-key-0001",
    ANTHROPIC_CUSTOM_HEADERS: "x-team: tools",
  });
  expect(stdout).toBe("from the gateway\n");
  expect(request?.headers).toMatchObject({
    authorization: "Bearer gateway-key-0001",
    "x-team": "tools",
  });
  expect(JSON.stringify(request?.headers)).not.toContain("never-sent");
});

test("a provider of models.yml answers, and what is wrong in the file is named with its line", async () => {
  await using model = await scriptedModel([turn(say("from my own server"))]);
  const config = [
    "providers:",
    "  mine:",
    `    baseUrl: ${model.url}/v1`,
    "    api: openai-completions",
    '    apiKey: "!echo key-from-a-command"',
    "    models:",
    "      - id: my-model",
    "        contextWindw: 1000",
    "  broken:",
    "    models:",
    "      - id: x",
    "",
  ].join("\n");
  const { stdout, stderr, exitCode, request } = await ask(model, "mine/my-model", {}, config);
  expect({ stdout, exitCode }).toEqual({ stdout: "from my own server\n", exitCode: 0 });
  expect(request?.headers["authorization"]).toBe("Bearer key-from-a-command");
  expect(stderr).toMatch(/models\.yml:8.*contextWindw.*contextWindow/s);
  expect(stderr).toMatch(/models\.yml:\d+.*broken.*baseUrl/s);
});

test("ENV-079 the limits of a silent OpenAI stream come from the environment, before and between events", async () => {
  await using model = await scriptedModel([
    turn(say("never")).with({ fault: { kind: "silence", atByte: 0 } }),
    turn(say("a beginning and then nothing")).with({ textPiece: 4, betweenMs: 700 }),
  ]);
  const settings = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "test-openai-key-0001" };
  for (const [variable, said] of [
    ["PI_OPENAI_STREAM_FIRST_EVENT_TIMEOUT_MS", /sent nothing for 0\.3 s/],
    ["PI_OPENAI_STREAM_IDLE_TIMEOUT_MS", /sent nothing for 0\.3 s/],
  ] as const) {
    await using place = await workspace();
    await place.write("../home/.omp/agent/config.yml", "retry: { enabled: false }\n");
    const { stderr, exitCode } = await runOmp(["-p", "--model", "openai/gpt-5.1", "hi"], {
      cwd: place.path,
      home: place.home,
      env: { ...settings, [variable]: "300" },
    });
    expect(stderr).toMatch(said);
    expect(exitCode).toBe(1);
  }
});
