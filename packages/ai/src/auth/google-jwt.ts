/** The signed claim by which a service account asks for a token (RFC 7523). */

import { ProviderError } from "../schema/fault.ts";
import type { ServiceAccount } from "./google-credentials-file.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const LIFETIME_SECONDS = 3600;
const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

export async function serviceAccountAssertion(
  { clientEmail, privateKey, privateKeyId, tokenUri }: ServiceAccount,
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: "RS256", typ: "JWT", ...(privateKeyId && { kid: privateKeyId }) };
  const claim = {
    iss: clientEmail,
    scope: SCOPE,
    aud: tokenUri,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const unsigned = `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(claim))}`;
  const key = await importKey(privateKey, clientEmail);
  const signature = await crypto.subtle.sign(RS256.name, key, Buffer.from(unsigned));
  return `${unsigned}.${encoded(signature)}`;
}

async function importKey(pem: string, clientEmail: string): Promise<CryptoKey> {
  const base64 = pem.replace(/-----[^-]+-----/g, "").replace(/\s+/g, "");
  try {
    const der = Buffer.from(base64, "base64");
    return await crypto.subtle.importKey("pkcs8", der, RS256, false, ["sign"]);
  } catch (error) {
    throw new ProviderError(
      { kind: "auth", reason: "missing" },
      `The private key of ${clientEmail} cannot be read: it must be PKCS #8 in PEM`,
      undefined,
      { cause: error },
    );
  }
}

function encoded(part: string | ArrayBuffer): string {
  const bytes = typeof part === "string" ? Buffer.from(part) : Buffer.from(part);
  return bytes.toString("base64url");
}
