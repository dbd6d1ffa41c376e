/** Credentials of the machine: from its container's agent (ECS, EKS), or from the instance itself (IMDS v2). */

import { ignore } from "@omp/std";
import { ProviderError } from "../schema/fault.ts";
import { ask, credentialsIn, refusedBy } from "./aws-answer.ts";
import type { AwsCredentials, AwsPorts } from "./aws-ports.ts";

const CONTAINER_AGENT = "http://169.254.170.2";
/** Addresses of agents, to which a token may go without encryption. */
const AGENTS: ReadonlySet<string> = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]);

export async function containerCredentials(ports: AwsPorts): Promise<AwsCredentials | undefined> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } =
    ports.environment;
  const url = path ? CONTAINER_AGENT + path : full;
  if (!url) return undefined;
  if (!isTrusted(url)) {
    throw new ProviderError(
      { kind: "auth", reason: "denied" },
      "AWS_CONTAINER_CREDENTIALS_FULL_URI must use https, or name this machine or a container agent",
    );
  }
  const token = await containerToken(ports);
  const answer = await ask(ports, url, token ? { headers: { authorization: token } } : {});
  if (answer.status !== 200) throw refusedBy("The container's agent", answer);
  return credentialsIn(answer.text, "The container's agent");
}

async function containerToken({ environment, readFile }: AwsPorts): Promise<string | undefined> {
  const file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  const text = file && (await readFile(file));
  return text ? text.trim() : environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"];
}

function isTrusted(url: string): boolean {
  const parsed = URL.parse(url);
  if (!parsed) return false;
  const { protocol, hostname } = parsed;
  if (protocol === "https:") return true;
  const isLoopback = /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
  return protocol === "http:" && (isLoopback || AGENTS.has(hostname));
}

/** On a machine that is no instance nobody answers there. */
const INSTANCE_PATIENCE_MS = 1_000;
const TOKEN_SECONDS = "21600";
const ROLES = "/latest/meta-data/iam/security-credentials/";

/** Undefined on any machine that is not an instance with a role. */
export async function instanceCredentials(ports: AwsPorts): Promise<AwsCredentials | undefined> {
  const { environment } = ports;
  if (environment["AWS_EC2_METADATA_DISABLED"]?.toLowerCase() === "true") return undefined;
  const base = (
    environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] || "http://169.254.169.254"
  ).replace(/\/+$/, "");
  const get = async (path: string, init: BunFetchRequestInit) => {
    const answer = await ask(ports, base + path, init, INSTANCE_PATIENCE_MS);
    if (answer.status !== 200) throw refusedBy("The instance", answer);
    return answer.text;
  };
  try {
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": TOKEN_SECONDS };
    const token = await get("/latest/api/token", { method: "PUT", headers: ttl });
    const headers = { "x-aws-ec2-metadata-token": token };
    const [role = ""] = (await get(ROLES, { headers })).trim().split("\n");
    return credentialsIn(await get(ROLES + role, { headers }), "The instance");
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    ignore(error, "this machine is not an instance with a role; the end of the chain says so");
    return undefined;
  }
}
