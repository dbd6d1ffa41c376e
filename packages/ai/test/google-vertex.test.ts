/** Vertex AI: places, keys, application default credentials, and Claude. Files, sockets and keys are real. */

import { systemClock } from "@omp/std";
import { manualClock, say, turn, workspace, scriptedModel } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { createGoogleAdc, type AdcPorts } from "../src/auth/google-adc.ts";
import { createVertexSigner } from "../src/auth/vertex-signer.ts";
import { modelOf, type Environment } from "../src/index.ts";
import { googleVertex } from "../src/providers/google-vertex.ts";
import { collect } from "./grammar.ts";
import { ask, KEY } from "./stage.ts";
import { GEMINI } from "./subjects.ts";

const { project } = googleVertex;
if (!project) throw new Error("Vertex AI has no project");
const PLACE = { GOOGLE_CLOUD_PROJECT: "p1", GOOGLE_CLOUD_LOCATION: "europe-west4" };
const never = new AbortController().signal;

function baseUrlIn(env: Environment): string {
  return modelOf(googleVertex, "gemini-3-pro-preview", env).baseUrl;
}

describe("google-vertex places", () => {
  test.each([
    [{ GOOGLE_CLOUD_PROJECT: "a", GCP_PROJECT: "b", GCLOUD_PROJECT: "c" }, "a"],
    [{ GCP_PROJECT: "b", GCLOUD_PROJECT: "c" }, "b"],
    [{ GCLOUD_PROJECT: "c" }, "c"],
  ])("PROV-26 %j is project %s", (env, name) => {
    expect(baseUrlIn({ ...env, VERTEX_LOCATION: "us-east5" })).toBe(
      `https://us-east5-aiplatform.googleapis.com/v1/projects/${name}/locations/us-east5`,
    );
  });

  test.each([
    [{ GOOGLE_VERTEX_LOCATION: "a", GOOGLE_CLOUD_LOCATION: "b", VERTEX_LOCATION: "c" }, "a"],
    [{ GOOGLE_CLOUD_LOCATION: "b", VERTEX_LOCATION: "c" }, "b"],
    [{ VERTEX_LOCATION: "c" }, "c"],
  ])("PROV-26 %j is location %s", (env, location) => {
    expect(baseUrlIn({ ...env, GCP_PROJECT: "p1" })).toBe(
      `https://${location}-aiplatform.googleapis.com/v1/projects/p1/locations/${location}`,
    );
  });

  test("the location global has no host of its own; a key needs no project", () => {
    expect(baseUrlIn({ ...PLACE, GOOGLE_VERTEX_LOCATION: "global" })).toBe(
      "https://aiplatform.googleapis.com/v1/projects/p1/locations/global",
    );
    expect(baseUrlIn({ ...PLACE, GOOGLE_CLOUD_API_KEY: KEY })).toBe(
      "https://aiplatform.googleapis.com/v1",
    );
  });

  test("without a place the error names the variables", async () => {
    await using place = await workspace();
    const message = async (environment: Environment) => {
      const sign = createVertexSigner(portsOf(environment), project);
      const model = modelOf(googleVertex, "gemini-3-pro-preview", environment);
      const { final } = await collect(ask(model, { apiKey: undefined, sign }));
      expect(final).toMatchObject({ fault: { kind: "auth", reason: "missing" } });
      return final.message.errorMessage ?? "";
    };
    const nothing = await message({ HOME: place.home });
    for (const name of [...project.nameEnv, ...project.locationEnv, "GOOGLE_CLOUD_API_KEY"]) {
      expect(nothing).toContain(name);
    }
    const half = await message({ HOME: place.home, GCP_PROJECT: "p1" });
    expect(half).toContain("VERTEX_LOCATION");
    expect(half).not.toContain("GCP_PROJECT");
  });
});

describe("google-vertex requests", () => {
  test("PROV-26 a key goes to the address without a project, in Google's own header", async () => {
    await using server = await scriptedModel([turn(say("ok"))]);
    const model = { ...modelOf(googleVertex, "gemini-2.5-flash", {}), ...GEMINI };
    const { message } = await collect(ask({ ...model, baseUrl: `${server.url}/v1` }));
    expect(message.content).toEqual([{ type: "text", text: "ok" }]);
    expect(server.requests[0]).toMatchObject({
      path: "/v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent",
      query: "alt=sse",
      headers: { "x-goog-api-key": KEY },
    });
  });

  test.each(["service_account", "authorized_user", "metadata"] as const)(
    "PROV-26 credentials of kind %s become a bearer at the project's address",
    async (kind) => {
      await using place = await workspace();
      await using issuer = await tokenIssuer();
      await using server = await scriptedModel([turn(say("ok"))]);
      const environment = { ...PLACE, ...(await issuer.environment(kind, place.home)) };
      const sign = createVertexSigner(portsOf(environment), project);
      const model = { ...modelOf(googleVertex, "gemini-2.5-flash", environment), ...GEMINI };
      const baseUrl = model.baseUrl.replace(/^https:\/\/[^/]+/, server.url);
      const { message } = await collect(ask({ ...model, baseUrl }, { apiKey: undefined, sign }));
      expect(message.errorMessage).toBeUndefined();
      expect(server.requests[0]).toMatchObject({
        path: "/v1/projects/p1/locations/europe-west4/publishers/google/models/gemini-2.5-flash:streamGenerateContent",
        headers: { authorization: "Bearer token-1" },
      });
      expect(server.requests[0]?.headers).not.toHaveProperty("x-goog-api-key");
    },
  );

  test("PROV-26 Claude is asked in its own words, and its answer is read as such", async () => {
    const events = [
      ["message_start", { message: { id: "msg_1", usage: { input_tokens: 3, output_tokens: 1 } } }],
      ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
      ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "so" } }],
      ["content_block_stop", { index: 0 }],
      ["message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } }],
      ["message_stop", {}],
    ] as const;
    const sse = events.map(
      ([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`,
    );
    let path = "";
    let body: Record<string, unknown> = {};
    await using server = await listening(async (request) => {
      path = new URL(request.url).pathname;
      body = (await request.json()) as typeof body;
      return new Response(sse.join(""), { headers: { "content-type": "text/event-stream" } });
    });
    const model = modelOf(googleVertex, "claude-sonnet-4-5@20250929", {});
    const baseUrl = `${server.url}/v1/projects/p1/locations/global`;
    const { message } = await collect(ask({ ...model, baseUrl }));
    expect(message).toMatchObject({
      content: [{ type: "text", text: "so" }],
      responseId: "msg_1",
      stopReason: "stop",
      usage: { input: 3, output: 9 },
    });
    expect(path).toBe(
      "/v1/projects/p1/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict",
    );
    expect(body).toMatchObject({ anthropic_version: "vertex-2023-10-16", stream: true });
    expect(body).not.toHaveProperty("model");
  });

  test("errors are read as Google's or as Claude's", async () => {
    const texts = {
      google: { error: { code: 404, message: "no such model", status: "NOT_FOUND" } },
      claude: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    };
    const asked = async (body: object, status: number) => {
      const fetch = async () => Response.json(body, { status });
      const { message } = await collect(ask(modelOf(googleVertex, "claude-x", {}), { fetch }));
      return message.errorMessage;
    };
    expect(await asked(texts.google, 404)).toBe("404 NOT_FOUND: no such model");
    expect(await asked(texts.claude, 529)).toBe("529 overloaded_error: Overloaded");
  });
});

describe("application default credentials", () => {
  test("a token is used until shortly before its end, and asked for once by turns that start together", async () => {
    await using place = await workspace();
    await using issuer = await tokenIssuer();
    const clock = manualClock();
    const environment = await issuer.environment("service_account", place.home);
    const accessToken = createGoogleAdc({ ...portsOf(environment), clock });
    const together = await Promise.all([accessToken(never), accessToken(never)]);
    expect(together).toEqual(["token-1", "token-1"]);
    clock.advance(54 * 60_000);
    expect(await accessToken(never)).toBe("token-1");
    clock.advance(60_000);
    expect(await accessToken(never)).toBe("token-2");
    expect(issuer.issued).toBe(2);
  });

  test("an abort ends the wait of one turn and not the exchange of the others", async () => {
    await using place = await workspace();
    await using issuer = await tokenIssuer();
    const accessToken = createGoogleAdc(
      portsOf(await issuer.environment("authorized_user", place.home)),
    );
    const controller = new AbortController();
    const waiting = accessToken(controller.signal);
    const other = accessToken(never);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(await other).toBe("token-1");
  });

  test("a file that is named is stronger than the usual one, and must be there", async () => {
    await using place = await workspace();
    await using issuer = await tokenIssuer();
    const environment = await issuer.environment("authorized_user", place.home);
    const named = { ...environment, GOOGLE_APPLICATION_CREDENTIALS: `${place.home}/gone.json` };
    const failing = createGoogleAdc(portsOf(named))(never);
    await expect(failing).rejects.toMatchObject({
      fault: { kind: "auth", reason: "missing" },
      message: expect.stringContaining("gone.json"),
    });
    const { HOME: _home, ...rest } = environment;
    const config = { ...rest, CLOUDSDK_CONFIG: `${place.home}/.config/gcloud` };
    expect(await createGoogleAdc(portsOf(config))(never)).toBe("token-1");
  });

  test.each([
    ["{", "is not a JSON object"],
    ['{"type":"service_account","client_email":"a@b"}', 'has no "private_key"'],
    ['{"type":"external_account"}', "external_account"],
  ])("the file %j is named with what is wrong", async (text, problem) => {
    await using place = await workspace({ files: { "key.json": text } });
    const path = `${place.path}/key.json`;
    const failing = createGoogleAdc(portsOf({ GOOGLE_APPLICATION_CREDENTIALS: path }))(never);
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ fault: { kind: "auth" } });
    expect(String(error)).toContain(path);
    expect(String(error)).toContain(problem);
  });

  test("a key that cannot be read is not shown", async () => {
    const secret = "TUlJRXZRSUJBREFO";
    const file = { type: "service_account", client_email: "a@b", private_key: secret };
    await using place = await workspace({ files: { "key.json": JSON.stringify(file) } });
    const path = `${place.path}/key.json`;
    const failing = createGoogleAdc(portsOf({ GOOGLE_APPLICATION_CREDENTIALS: path }))(never);
    const error = await failing.catch((reason: unknown) => reason);
    expect(String(error)).toContain("a@b");
    expect(String(error)).not.toContain(secret);
  });

  test("refusals, outages and machines without credentials are told apart", async () => {
    await using place = await workspace();
    await using issuer = await tokenIssuer();
    const environment = await issuer.environment("authorized_user", place.home);
    const accessToken = createGoogleAdc(portsOf(environment));
    issuer.refuse = { status: 400, body: { error: "invalid_grant", error_description: "revoked" } };
    await expect(accessToken(never)).rejects.toMatchObject({
      fault: { kind: "auth", reason: "denied" },
      message: expect.stringContaining("invalid_grant: revoked"),
    });
    issuer.refuse = { status: 503, body: {} };
    await expect(accessToken(never)).rejects.toMatchObject({ fault: { kind: "overloaded" } });
    issuer.refuse = undefined;
    expect(await accessToken(never)).toBe("token-1");

    await using empty = await workspace();
    const alone = { HOME: empty.home, GCE_METADATA_HOST: "127.0.0.1:1" };
    await expect(createGoogleAdc(portsOf(alone))(never)).rejects.toMatchObject({
      fault: { kind: "auth", reason: "missing" },
      message: expect.stringContaining("gcloud auth application-default login"),
    });
  });

  test("a metadata server that does not answer is not waited for", async () => {
    const clock = manualClock();
    const fetch: AdcPorts["fetch"] = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
    const waiting = createGoogleAdc({ ...portsOf({}), clock, fetch })(never);
    waiting.catch(() => {});
    while (clock.waiting === 0) await Bun.sleep(1);
    clock.advance(3_000);
    await expect(waiting).rejects.toMatchObject({ fault: { kind: "auth", reason: "missing" } });
  });
});

function portsOf(environment: Environment): AdcPorts {
  return {
    environment,
    readFile: async (path) => {
      const file = Bun.file(path);
      return (await file.exists()) ? file.text() : undefined;
    },
    fetch: (url, init) => fetch(url, init),
    clock: systemClock,
  };
}

type Kind = "service_account" | "authorized_user" | "metadata";

interface Issuer extends AsyncDisposable {
  readonly issued: number;
  refuse: { readonly status: number; readonly body: object } | undefined;
  /** Writes what this kind of credentials needs, and says where it is. */
  environment(kind: Kind, home: string): Promise<Record<string, string>>;
}

/** Google's token endpoint and metadata server: checks the proof of each kind, and counts its tokens. */
async function tokenIssuer(): Promise<Issuer> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const user = { client_id: "own-client", client_secret: "own-secret", refresh_token: "refresh" };
  let issued = 0;
  const provesItself = async (request: Request): Promise<boolean> => {
    if (request.method === "GET") {
      const isToken = request.url.endsWith("/instance/service-accounts/default/token");
      return isToken && request.headers.get("metadata-flavor") === "Google";
    }
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    if (form["grant_type"] === "refresh_token")
      return Bun.deepEquals({ ...user, grant_type: "refresh_token" }, form);
    const [head = "", claim = "", signature = ""] = (form["assertion"] ?? "").split(".");
    const { aud, iss, scope, exp, iat } = JSON.parse(Buffer.from(claim, "base64url").toString());
    const isRight =
      aud === request.url &&
      iss === "robot@p1.iam.gserviceaccount.com" &&
      scope === "https://www.googleapis.com/auth/cloud-platform" &&
      exp - iat === 3600 &&
      form["grant_type"] === "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const bytes = Buffer.from(signature, "base64url");
    const signed = Buffer.from(`${head}.${claim}`);
    return isRight && crypto.subtle.verify(algorithm.name, keys.publicKey, bytes, signed);
  };
  const issuer = { refuse: undefined as Issuer["refuse"] };
  const server = await listening(async (request) => {
    const { refuse } = issuer;
    if (refuse) return Response.json(refuse.body, { status: refuse.status });
    if (!(await provesItself(request)))
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({
      access_token: `token-${++issued}`,
      expires_in: 3600,
      token_type: "Bearer",
    });
  });
  const token_uri = `${server.url}/token`;
  const der = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  const base64 = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n");
  const private_key = `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
  return {
    get issued() {
      return issued;
    },
    get refuse() {
      return issuer.refuse;
    },
    set refuse(refusal) {
      issuer.refuse = refusal;
    },
    async environment(kind, home) {
      switch (kind) {
        case "service_account": {
          const client_email = "robot@p1.iam.gserviceaccount.com";
          const path = `${home}/robot.json`;
          const file = { type: kind, client_email, private_key, private_key_id: "k1", token_uri };
          await Bun.write(path, JSON.stringify(file));
          return { HOME: home, GOOGLE_APPLICATION_CREDENTIALS: path };
        }
        case "authorized_user": {
          const path = `${home}/.config/gcloud/application_default_credentials.json`;
          await Bun.write(path, JSON.stringify({ type: kind, ...user, token_uri }));
          return { HOME: home };
        }
        case "metadata":
          return { HOME: home, GCE_METADATA_HOST: new URL(server.url).host };
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function listening(
  answer: (request: Request) => Promise<Response>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
