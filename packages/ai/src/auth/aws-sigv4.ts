/** AWS Signature Version 4: the headers that prove who sends a request. */

import { AwsV4Signer } from "aws4fetch";
import type { Post } from "../transport/http.ts";
import type { AwsCredentials } from "./aws-ports.ts";

export interface SigningPlace {
  readonly region: string;
  readonly service: string;
  /** Milliseconds since 1970. A signature is good for some minutes around it. */
  readonly now: number;
}

/** All headers that are given are signed: give those only that arrive as they were sent. */
export async function sigV4Headers(
  { url, headers, body }: Post & { readonly body: string },
  credentials: AwsCredentials,
  { region, service, now }: SigningPlace,
): Promise<Readonly<Record<string, string>>> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new AwsV4Signer({
    method: "POST",
    url,
    headers,
    body,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    region,
    service,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    allHeaders: true,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}
