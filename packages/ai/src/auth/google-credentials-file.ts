/** A file of Google credentials: what it must hold for each of its types. */

import { ProviderError } from "../schema/fault.ts";

export interface ServiceAccount {
  readonly type: "service_account";
  readonly clientEmail: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
  readonly tokenUri: string;
}
interface AuthorizedUser {
  readonly type: "authorized_user";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  readonly tokenUri: string;
}
interface Metadata {
  readonly type: "metadata";
  readonly url: string;
}
export type AdcCredentials = ServiceAccount | AuthorizedUser | Metadata;

const TOKEN_URI = "https://oauth2.googleapis.com/token";

/** @throws ProviderError naming the file and what is wrong with it, never its content */
export function credentialsIn(text: string, path: string): AdcCredentials {
  const fields = fieldsOf(text, path);
  const need = (name: string): string => {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
    throw unusable(path, `has no "${name}"`);
  };
  const tokenUri = typeof fields["token_uri"] === "string" ? fields["token_uri"] : TOKEN_URI;
  const type = need("type");
  switch (type) {
    case "service_account":
      return {
        type,
        clientEmail: need("client_email"),
        privateKey: need("private_key"),
        privateKeyId: fields["private_key_id"] ? need("private_key_id") : undefined,
        tokenUri,
      };
    case "authorized_user":
      return {
        type,
        clientId: need("client_id"),
        clientSecret: need("client_secret"),
        refreshToken: need("refresh_token"),
        tokenUri,
      };
    default:
      throw unusable(path, `is of type "${type}"; service_account and authorized_user can be used`);
  }
}

function unusable(path: string, problem: string): ProviderError {
  return new ProviderError(
    { kind: "auth", reason: "missing" },
    `The Google credentials in ${path} cannot be used: the file ${problem}`,
  );
}

function fieldsOf(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw unusable(path, "is not a JSON object");
}
