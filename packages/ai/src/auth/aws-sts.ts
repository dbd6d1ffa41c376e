/** Credentials of a role, from AWS's security token service. */

import { ProviderError } from "../schema/fault.ts";
import { ask, credentialsOf, refusedBy } from "./aws-answer.ts";
import type { AwsCredentials, AwsPorts } from "./aws-ports.ts";
import { sigV4Headers } from "./aws-sigv4.ts";

export interface Role {
  readonly roleArn: string;
  readonly sessionName: string | undefined;
  readonly externalId?: string | undefined;
}

export async function webIdentityCredentials(ports: AwsPorts): Promise<AwsCredentials | undefined> {
  const {
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    AWS_ROLE_ARN: roleArn,
    AWS_ROLE_SESSION_NAME: sessionName,
  } = ports.environment;
  if (!tokenFile || !roleArn) return undefined;
  return assumeRoleWithToken(ports, { roleArn, sessionName }, tokenFile);
}

export async function assumeRoleWithToken(
  ports: AwsPorts,
  role: Role,
  tokenFile: string,
): Promise<AwsCredentials> {
  const token = await ports.readFile(tokenFile);
  if (token === undefined) {
    throw new ProviderError(
      { kind: "auth", reason: "missing" },
      `There is no file ${tokenFile} with the web identity token of ${role.roleArn}`,
    );
  }
  const form = { WebIdentityToken: token.trim(), ...roleForm(role) };
  return askSts(ports, { Action: "AssumeRoleWithWebIdentity", ...form });
}

export function assumeRole(
  ports: AwsPorts,
  role: Role,
  source: AwsCredentials,
): Promise<AwsCredentials> {
  return askSts(ports, { Action: "AssumeRole", ...roleForm(role) }, source);
}

function roleForm({ roleArn, sessionName, externalId }: Role): Record<string, string> {
  return {
    RoleArn: roleArn,
    RoleSessionName: sessionName || "omp",
    ...(externalId && { ExternalId: externalId }),
  };
}

async function askSts(
  ports: AwsPorts,
  form: Readonly<Record<string, string>>,
  source?: AwsCredentials,
): Promise<AwsCredentials> {
  const { region, environment, clock } = ports;
  const endpoint = environment["AWS_ENDPOINT_URL_STS"] || `https://sts.${region}.amazonaws.com`;
  const url = `${endpoint.replace(/\/+$/, "")}/`;
  const body = new URLSearchParams({ Version: "2011-06-15", ...form }).toString();
  const plain = { "content-type": "application/x-www-form-urlencoded" };
  const place = { region, service: "sts", now: clock.now() };
  const signature = source && (await sigV4Headers({ url, headers: plain, body }, source, place));
  const answer = await ask(ports, url, {
    method: "POST",
    headers: { ...plain, ...signature },
    body,
  });
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer.text)?.[1];
  const accessKeyId = field("AccessKeyId");
  const secretAccessKey = field("SecretAccessKey");
  if (answer.status !== 200 || !accessKeyId || !secretAccessKey) {
    const reason = field("Message");
    throw refusedBy("The security token service", answer, reason ? `: ${reason}` : "");
  }
  return credentialsOf(accessKeyId, secretAccessKey, field("SessionToken"), field("Expiration"));
}
