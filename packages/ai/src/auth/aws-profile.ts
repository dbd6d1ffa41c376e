/** Credentials of a profile of the shared AWS files: keys, a role, a helper program, or a single sign-on. */

import { ProviderError } from "../schema/fault.ts";
import { ask, credentialsIn, credentialsOf, jsonObject, refusedBy } from "./aws-answer.ts";
import type { AwsCredentials, AwsPorts } from "./aws-ports.ts";
import { readAwsFiles, type AwsFiles, type AwsSection } from "./aws-files.ts";
import { containerCredentials, instanceCredentials } from "./aws-metadata.ts";
import { assumeRole, assumeRoleWithToken } from "./aws-sts.ts";

/** Undefined when nobody named a profile and the default one has no credentials. */
export async function profileCredentials(ports: AwsPorts): Promise<AwsCredentials | undefined> {
  const named = ports.environment["AWS_PROFILE"];
  const files = await readAwsFiles(ports);
  const name = named || "default";
  const found = await resolveProfile({ ports, files }, name, []);
  if (found || !named) return found;
  throw missing(`The AWS profile "${named}" of AWS_PROFILE has no credentials, or does not exist`);
}

interface Search {
  readonly ports: AwsPorts;
  readonly files: AwsFiles;
}

async function resolveProfile(
  search: Search,
  name: string,
  visited: readonly string[],
): Promise<AwsCredentials | undefined> {
  const profile = search.files.profiles.get(name);
  if (!profile) return undefined;
  if (visited.includes(name)) throw missing(`The AWS profile "${name}" takes its role from itself`);
  const keys = keysOf(profile);
  // The keys of a profile that others take their role from are meant; its own role is not.
  if (keys && visited.length > 0) return keys;
  return (
    (await roleOf(search, profile, name, [...visited, name])) ??
    keys ??
    (await processOf(search.ports, profile)) ??
    (await signOnOf(search, profile, name))
  );
}

function keysOf(profile: AwsSection): AwsCredentials | undefined {
  const {
    aws_access_key_id: id,
    aws_secret_access_key: secret,
    aws_session_token: token,
  } = profile;
  return id && secret ? credentialsOf(id, secret, token, undefined) : undefined;
}

async function roleOf(
  search: Search,
  profile: AwsSection,
  name: string,
  visited: readonly string[],
): Promise<AwsCredentials | undefined> {
  const { ports } = search;
  const { role_arn: roleArn, role_session_name: sessionName, external_id: externalId } = profile;
  if (!roleArn) return undefined;
  const role = { roleArn, sessionName, externalId };
  const { web_identity_token_file: tokenFile, source_profile: source } = profile;
  if (tokenFile) return assumeRoleWithToken(ports, role, tokenFile);
  if (profile["mfa_serial"]) {
    throw missing(`The AWS profile "${name}" asks for a one-time code, which cannot be asked here`);
  }
  const credentials = source
    ? await resolveProfile(search, source, visited)
    : await sourceOf(ports, profile["credential_source"]);
  if (credentials) return assumeRole(ports, role, credentials);
  throw missing(`The AWS profile "${name}" has a role, but nothing to take it with`);
}

function sourceOf(
  ports: AwsPorts,
  source: string | undefined,
): Promise<AwsCredentials | undefined> | undefined {
  switch (source) {
    case "EcsContainer":
      return containerCredentials(ports);
    case "Ec2InstanceMetadata":
      return instanceCredentials(ports);
    default:
      // Those of the environment would have been found before any profile.
      return undefined;
  }
}

async function processOf(
  { run }: AwsPorts,
  { credential_process: command }: AwsSection,
): Promise<AwsCredentials | undefined> {
  if (!command) return undefined;
  const { exitCode, stdout } = await run(command);
  if (exitCode === 0) return credentialsIn(stdout, "The program of credential_process");
  throw new ProviderError(
    { kind: "auth", reason: "denied" },
    `The program of credential_process ended with ${exitCode}`,
  );
}

/** The login itself is made with `aws sso login`; what it leaves behind is used while it is good. */
async function signOnOf(
  { ports, files }: Search,
  profile: AwsSection,
  name: string,
): Promise<AwsCredentials | undefined> {
  const { sso_account_id: account, sso_role_name: role, sso_session: sessionName } = profile;
  const session = sessionName ? files.sessions.get(sessionName) : profile;
  const { sso_start_url: startUrl, sso_region: region } = session ?? {};
  if (!account || !role || !startUrl || !region) return undefined;
  const token = await signOnToken(ports, sessionName ?? startUrl);
  const advice = `; run: aws sso login --profile ${name}`;
  if (token === undefined) throw missing(`The AWS single sign-on has expired${advice}`);
  const base =
    ports.environment["AWS_ENDPOINT_URL_SSO"] || `https://portal.sso.${region}.amazonaws.com`;
  const query = new URLSearchParams({ account_id: account, role_name: role });
  const headers = { "x-amz-sso_bearer_token": token };
  const answer = await ask(ports, `${base}/federation/credentials?${query.toString()}`, {
    headers,
  });
  const fields = jsonObject(answer.text)?.["roleCredentials"] as SignOnCredentials | undefined;
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = fields ?? {};
  if (answer.status === 200 && accessKeyId && secretAccessKey) {
    return credentialsOf(accessKeyId, secretAccessKey, sessionToken, expiration);
  }
  throw refusedBy("The AWS single sign-on", answer, advice);
}

interface SignOnCredentials {
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970. */
  readonly expiration?: number;
}

async function signOnToken(ports: AwsPorts, cacheName: string): Promise<string | undefined> {
  const { environment, readFile, clock } = ports;
  const hash = new Bun.CryptoHasher("sha1").update(cacheName).digest("hex");
  const home = environment["HOME"] || environment["USERPROFILE"] || "";
  const text = await readFile(`${home}/.aws/sso/cache/${hash}.json`);
  const { accessToken, expiresAt } = (text && jsonObject(text)) || {};
  const isGood = typeof expiresAt === "string" && Date.parse(expiresAt) > clock.now();
  return isGood && typeof accessToken === "string" ? accessToken : undefined;
}

function missing(message: string): ProviderError {
  return new ProviderError({ kind: "auth", reason: "missing" }, message);
}
