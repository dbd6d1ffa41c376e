/** The AWS credential chain: every place it looks in, with real files, programs and loopback servers. */

import { manualClock } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAwsCredentials } from "../src/auth/aws-credentials.ts";
import type { AwsPorts } from "../src/auth/aws-ports.ts";
import { hasWayIntoBedrock, resolveBedrockRegion } from "../src/auth/bedrock-place.ts";
import { verifiedSignature } from "./sigv4.ts";

const never = new AbortController().signal;
const NOWHERE = { AWS_EC2_METADATA_DISABLED: "true" };
const LATER = "2030-01-02T03:04:05Z";

describe("the chain", () => {
  test("keys of the environment come first, with their session token", async () => {
    await using home = await homeWith({ ".aws/credentials": keysOf("default", "FILE") });
    const keys = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "shh" };
    expect(await home.find({ ...keys, AWS_SESSION_TOKEN: "tok" })).toEqual({
      accessKeyId: "AKIA",
      secretAccessKey: "shh",
      sessionToken: "tok",
    });
    expect(await home.find({ AWS_ACCESS_KEY_ID: "AKIA" })).toMatchObject({ accessKeyId: "FILE" });
  });

  test("a web identity is exchanged for a role's credentials", async () => {
    await using home = await homeWith({ token: "jwt-words\n" });
    await using server = stsServer();
    const found = await home.find({
      AWS_WEB_IDENTITY_TOKEN_FILE: join(home.path, "token"),
      AWS_ROLE_ARN: "arn:aws:iam::1:role/r",
      AWS_ENDPOINT_URL_STS: server.url.href,
    });
    expect(found).toEqual({
      accessKeyId: "ASIA-AssumeRoleWithWebIdentity",
      secretAccessKey: "sts-secret",
      sessionToken: "sts-token",
      expiresAt: Date.parse(LATER),
    });
    expect(server.forms[0]).toMatchObject({
      WebIdentityToken: "jwt-words",
      RoleArn: "arn:aws:iam::1:role/r",
      Version: "2011-06-15",
    });
    expect(server.authorizations).toEqual([null]);
  });

  test("a profile has keys in either file; comments and other sections do not disturb", async () => {
    await using home = await homeWith({
      ".aws/config":
        "# mine\n[default]\nregion = x\n[profile work]\ns3 =\n  max = 5\naws_access_key_id = CONF\n" +
        "aws_secret_access_key = from config ; not this\n[services x]\naws_access_key_id = NO\n",
      ".aws/credentials": keysOf("default", "DEF"),
    });
    expect(await home.find({})).toMatchObject({ accessKeyId: "DEF" });
    expect(await home.find({ AWS_PROFILE: "work" })).toEqual({
      accessKeyId: "CONF",
      secretAccessKey: "from config",
    });
  });

  test("a profile that is named and not there is said", async () => {
    await using home = await homeWith({});
    const error = await home.find({ AWS_PROFILE: "gone" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      fault: { kind: "auth", reason: "missing" },
      message: expect.stringContaining('"gone"'),
    });
  });

  test("a role is taken with the keys of its source profile, in a signed request", async () => {
    await using home = await homeWith({
      ".aws/config":
        "[profile boss]\nrole_arn = arn:aws:iam::2:role/b\nsource_profile = base\n" +
        "external_id = e-1\nrole_session_name = me\n[profile loop]\nrole_arn = arn\nsource_profile = loop\n",
      ".aws/credentials": keysOf("base", "BASE"),
    });
    await using server = stsServer();
    const endpoint = { AWS_ENDPOINT_URL_STS: server.url.href };
    expect(await home.find({ AWS_PROFILE: "boss", ...endpoint })).toMatchObject({
      accessKeyId: "ASIA-AssumeRole",
    });
    expect(server.forms[0]).toMatchObject({ ExternalId: "e-1", RoleSessionName: "me" });
    expect(server.verified).toEqual([true]);
    const loop = home.find({ AWS_PROFILE: "loop", ...endpoint });
    await expect(loop).rejects.toMatchObject({ message: expect.stringContaining("from itself") });
  });

  test("a role that is refused says why", async () => {
    await using home = await homeWith({
      ".aws/config": "[profile p]\nrole_arn = deny\nsource_profile = base\n",
      ".aws/credentials": keysOf("base", "BASE"),
    });
    await using server = stsServer();
    const found = home.find({ AWS_PROFILE: "p", AWS_ENDPOINT_URL_STS: server.url.href });
    await expect(found).rejects.toMatchObject({
      fault: { kind: "auth", reason: "denied" },
      message: expect.stringContaining("not authorized"),
    });
  });

  test("a helper program is run, and one that fails is said", async () => {
    const answer = JSON.stringify({
      Version: 1,
      AccessKeyId: "PROC",
      SecretAccessKey: "p",
      SessionToken: "t",
      Expiration: LATER,
    });
    await using home = await homeWith({
      "answer.json": answer,
      ".aws/config":
        "[profile good]\ncredential_process = cat answer.json\n" +
        "[profile bad]\ncredential_process = exit 3\n[profile odd]\ncredential_process = echo hm\n",
    });
    expect(await home.find({ AWS_PROFILE: "good" })).toEqual({
      accessKeyId: "PROC",
      secretAccessKey: "p",
      sessionToken: "t",
      expiresAt: Date.parse(LATER),
    });
    for (const name of ["bad", "odd"]) {
      await expect(home.find({ AWS_PROFILE: name })).rejects.toMatchObject({
        fault: { kind: "auth", reason: "denied" },
      });
    }
  });

  test.each(["a session", "an address"])("a single sign-on with %s", async (kind) => {
    const start = "sso_start_url = https://start.example\nsso_region = eu-west-1\n";
    const target = "sso_account_id = 42\nsso_role_name = dev\n";
    const isSession = kind === "a session";
    const config = isSession
      ? `[profile sso]\nsso_session = corp\n${target}[sso-session corp]\n${start}`
      : `[profile sso]\n${start}${target}`;
    const name = isSession ? "corp" : "https://start.example";
    const cache = `.aws/sso/cache/${new Bun.CryptoHasher("sha1").update(name).digest("hex")}.json`;
    const login = (expiresAt: string) => JSON.stringify({ accessToken: "sso-token", expiresAt });
    await using home = await homeWith({ ".aws/config": config, [cache]: login(LATER) });
    const seen: string[] = [];
    await using server = Bun.serve({
      port: 0,
      fetch: ({ url, headers }) => {
        seen.push(`${new URL(url).pathname}${new URL(url).search}`);
        seen.push(headers.get("x-amz-sso_bearer_token") ?? "");
        const expiration = Date.parse(LATER);
        const keys = { accessKeyId: "SSO", secretAccessKey: "s", sessionToken: "t", expiration };
        return Response.json({ roleCredentials: keys });
      },
    });
    const variables = { AWS_PROFILE: "sso", AWS_ENDPOINT_URL_SSO: server.url.origin };
    expect(await home.find(variables)).toEqual({
      accessKeyId: "SSO",
      secretAccessKey: "s",
      sessionToken: "t",
      expiresAt: Date.parse(LATER),
    });
    expect(seen).toEqual(["/federation/credentials?account_id=42&role_name=dev", "sso-token"]);
    await Bun.write(join(home.path, cache), login("1999-01-01T00:00:00Z"));
    await expect(home.find(variables)).rejects.toMatchObject({
      message: expect.stringContaining("aws sso login --profile sso"),
    });
  });

  test("a container's agent is asked with its token, but never over an open network", async () => {
    await using home = await homeWith({ token: "from file\n" });
    const tokens: (string | null)[] = [];
    await using server = Bun.serve({
      port: 0,
      fetch: ({ headers }) => {
        tokens.push(headers.get("authorization"));
        return Response.json(machineKeys("ECS"));
      },
    });
    const full = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${server.port}/creds` };
    expect(await home.find(full)).toEqual({
      accessKeyId: "ECS",
      secretAccessKey: "m",
      sessionToken: "mt",
      expiresAt: Date.parse(LATER),
    });
    await home.find({ ...full, AWS_CONTAINER_AUTHORIZATION_TOKEN: "word" });
    const file = join(home.path, "token");
    await home.find({ ...full, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file });
    expect(tokens).toEqual([null, "word", "from file"]);
    for (const host of ["example.com", "127.0.0.1.example.com"]) {
      const open = home.find({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://${host}/creds` });
      await expect(open).rejects.toMatchObject({ message: expect.stringContaining("https") });
    }
  });

  test("an instance is asked in the second version of its protocol", async () => {
    await using home = await homeWith({});
    await using server = Bun.serve({
      port: 0,
      fetch: ({ method, url, headers }) => {
        const { pathname } = new URL(url);
        const ttl = headers.get("x-aws-ec2-metadata-token-ttl-seconds");
        if (pathname === "/latest/api/token" && method === "PUT" && ttl) return new Response("T");
        if (headers.get("x-aws-ec2-metadata-token") !== "T")
          return new Response("", { status: 401 });
        const roles = "/latest/meta-data/iam/security-credentials/";
        if (pathname === roles) return new Response("my-role\n");
        if (pathname === `${roles}my-role`) return Response.json(machineKeys("IMDS"));
        return new Response("", { status: 404 });
      },
    });
    const found = await home.find({
      AWS_EC2_METADATA_DISABLED: undefined,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: server.url.href,
    });
    expect(found).toMatchObject({ accessKeyId: "IMDS", sessionToken: "mt" });
  });

  test("nothing anywhere says what to set; skipping makes some up", async () => {
    await using home = await homeWith({});
    await expect(home.find({})).rejects.toMatchObject({
      fault: { kind: "auth", reason: "missing" },
      message: expect.stringContaining("AWS_BEARER_TOKEN_BEDROCK"),
    });
    expect(await home.find({ AWS_BEDROCK_SKIP_AUTH: "1" })).toMatchObject({
      accessKeyId: expect.any(String),
    });
  });

  test("credentials are kept until shortly before they expire, and turns share one search", async () => {
    await using home = await homeWith({});
    let asked = 0;
    const clock = manualClock();
    await using server = Bun.serve({
      port: 0,
      fetch: () => {
        asked++;
        const Expiration = new Date(clock.now() + 3_600_000).toISOString();
        return Response.json({ ...machineKeys("ECS"), Expiration });
      },
    });
    const environment = {
      HOME: home.path,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${server.port}/`,
    };
    const credentials = createAwsCredentials({ ...home.ports, environment, clock });
    await Promise.all([credentials(never), credentials(never)]);
    clock.advance(3_200_000);
    await credentials(never);
    expect(asked).toBe(1);
    clock.advance(200_000);
    await credentials(never);
    expect(asked).toBe(2);
  });

  test("an abort ends the wait for a slow helper", async () => {
    await using home = await homeWith({ ".aws/config": "[default]\ncredential_process = x\n" });
    const environment = { ...NOWHERE, HOME: home.path };
    const run = () => new Promise<never>(() => {});
    const controller = new AbortController();
    const waiting = createAwsCredentials({ ...home.ports, environment, run })(controller.signal);
    controller.abort("enough");
    expect(await waiting.catch((reason: unknown) => reason)).toBe("enough");
  });
});

test.each([
  [{ AWS_REGION: "eu-west-1", AWS_DEFAULT_REGION: "x" }, "eu-west-1"],
  [{ AWS_DEFAULT_REGION: "ap-south-1" }, "ap-south-1"],
  [{ AWS_REGION: "" }, "us-east-1"],
])("the region of %j is %s", (environment, region) => {
  expect(resolveBedrockRegion(environment)).toBe(region);
  expect(resolveBedrockRegion(environment, "us-west-2")).toBe("us-west-2");
});

test.each([
  [{ AWS_PROFILE: "p" }, true],
  [{ AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" }, true],
  [{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/x" }, true],
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://localhost/" }, true],
  [{ AWS_WEB_IDENTITY_TOKEN_FILE: "f", AWS_ROLE_ARN: "r" }, true],
  [{ AWS_BEARER_TOKEN_BEDROCK: "t" }, true],
  [{ AWS_BEDROCK_SKIP_AUTH: "1" }, true],
  [{ AWS_ACCESS_KEY_ID: "a" }, false],
  [{ AWS_ROLE_ARN: "r" }, false],
  [{}, false],
] as const)("%j is a way in: %p", (environment, expected) => {
  expect(hasWayIntoBedrock(environment)).toBe(expected);
});

interface Home extends AsyncDisposable {
  readonly path: string;
  readonly ports: AwsPorts;
  find(
    environment: AwsPorts["environment"],
  ): Promise<Awaited<ReturnType<ReturnType<typeof createAwsCredentials>>>>;
}

async function homeWith(files: Readonly<Record<string, string>>): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), "omp-aws-"));
  for (const [name, text] of Object.entries(files)) {
    await Bun.write(join(path, name), text);
  }
  const clock = manualClock();
  clock.advance(Date.parse("2026-01-01T00:00:00Z"));
  const ports: AwsPorts = {
    environment: {},
    readFile: async (file) => {
      const handle = Bun.file(file);
      return (await handle.exists()) ? handle.text() : undefined;
    },
    fetch: globalThis.fetch,
    clock,
    run: async (command) => {
      const child = Bun.spawn(["sh", "-c", command], { cwd: path, stdout: "pipe" });
      const stdout = await new Response(child.stdout).text();
      return { exitCode: await child.exited, stdout };
    },
    region: "eu-central-1",
  };
  return {
    path,
    ports,
    find: (environment) =>
      createAwsCredentials({ ...ports, environment: { ...NOWHERE, HOME: path, ...environment } })(
        never,
      ),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

function keysOf(profile: string, id: string): string {
  return `[${profile}]\naws_access_key_id = ${id}\naws_secret_access_key = secret of ${id}\n`;
}

function machineKeys(AccessKeyId: string) {
  return { AccessKeyId, SecretAccessKey: "m", Token: "mt", Expiration: LATER };
}

/** Answers as the vendor's token service does, in XML. */
function stsServer() {
  const forms: Record<string, string>[] = [];
  const authorizations: (string | null)[] = [];
  const verified: boolean[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const form = Object.fromEntries(new URLSearchParams(body));
      const authorization = request.headers.get("authorization");
      forms.push(form);
      authorizations.push(authorization);
      if (authorization) {
        verified.push(verifiedSignature(request, body, "secret of BASE", "eu-central-1", "sts"));
      }
      if (form["RoleArn"] === "deny") {
        const error =
          "<ErrorResponse><Error><Message>not authorized</Message></Error></ErrorResponse>";
        return new Response(error, { status: 403 });
      }
      return new Response(
        `<R><Credentials><AccessKeyId>ASIA-${form["Action"]}</AccessKeyId>` +
          `<SecretAccessKey>sts-secret</SecretAccessKey><SessionToken>sts-token</SessionToken>` +
          `<Expiration>${LATER}</Expiration></Credentials></R>`,
      );
    },
  });
  return Object.assign(server, { forms, authorizations, verified });
}
