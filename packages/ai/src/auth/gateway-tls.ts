/** Certificates for a company's gateway, from variables that hold them or name their files. */

import { ProviderError } from "../schema/fault.ts";
import type { FetchLike } from "../transport/http.ts";

/** Variables; each holds PEM, or the path of a file with it. */
export interface TlsVariables {
  readonly extraCaEnv: string;
  readonly clientCertificateEnv: string;
  readonly clientKeyEnv: string;
}

export interface GatewayTls {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type ReadFile = (path: string) => Promise<string | undefined>;

/** Undefined where none of them is set. @throws ProviderError when they do not fit together */
export async function gatewayTls(
  { extraCaEnv, clientCertificateEnv, clientKeyEnv }: TlsVariables,
  environment: Environment,
  readFile: ReadFile,
): Promise<GatewayTls | undefined> {
  const read = (name: string) => pemOf(name, environment[name], readFile);
  const [ca, cert, key] = await Promise.all([
    read(extraCaEnv),
    read(clientCertificateEnv),
    read(clientKeyEnv),
  ]);
  if ((cert === undefined) !== (key === undefined)) {
    throw wrong(`${clientCertificateEnv} and ${clientKeyEnv} must be set together`);
  }
  if (ca === undefined && cert === undefined) return undefined;
  return {
    ...(ca !== undefined && { ca: [...(await usualRoots()), ca] }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
  };
}

/** The network with these certificates. */
export function withTls(fetch: FetchLike, { ca, cert, key }: GatewayTls): FetchLike {
  const tls = { ...(ca && { ca: [...ca] }), ...(cert && { cert }), ...(key && { key }) };
  return (url, init) => fetch(url, { ...init, tls });
}

async function pemOf(
  name: string,
  value: string | undefined,
  readFile: ReadFile,
): Promise<string | undefined> {
  if (!value) return undefined;
  const pem = value.includes("-----BEGIN ") ? value : await readFile(value);
  if (pem?.includes("-----BEGIN ")) return pem.replaceAll("\\n", "\n");
  throw wrong(
    pem === undefined
      ? `${name} names ${value}, and there is no such file`
      : `The file ${value} of ${name} is not PEM`,
  );
}

/** A list of authorities takes the place of the usual one; an extra one is added to it. */
async function usualRoots(): Promise<readonly string[]> {
  return (await import("node:tls")).rootCertificates;
}

function wrong(message: string): ProviderError {
  return new ProviderError({ kind: "auth", reason: "missing" }, message);
}
