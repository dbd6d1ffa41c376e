/** Signature Version 4 as the server checks it: written from the vendor's description, for tests only. */

import { createHash, createHmac } from "node:crypto";

interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** Whether the signature in the request is the one that this secret makes. */
export function verifiedSignature(
  { method, url, headers }: SignedRequest,
  body: string,
  secret: string,
  region: string,
  service: string,
): boolean {
  const authorization = headers.get("authorization") ?? "";
  const [, names = "", signature] =
    /SignedHeaders=([^,]+), Signature=(\w+)$/.exec(authorization) ?? [];
  const at = headers.get("x-amz-date") ?? "";
  const scope = `${at.slice(0, 8)}/${region}/${service}/aws4_request`;
  if (!authorization.includes(`/${scope},`)) return false;
  const lines = names.split(";").map((name) => `${name}:${headers.get(name)?.trim()}\n`);
  const { pathname, search } = new URL(url);
  // The path is encoded as it was sent, and then once more.
  const path = pathname.split("/").map(encodeURIComponent).join("/");
  const canonical = [method, path, search.slice(1), lines.join(""), names, hash(body)].join("\n");
  const text = ["AWS4-HMAC-SHA256", at, scope, hash(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secret}`);
  return hmac(key, text).toString("hex") === signature;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
