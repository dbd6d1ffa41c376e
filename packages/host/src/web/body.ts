/** What a server sends, unpacked and within a limit, whatever it claims about its size. */

import { codeOf, ignore } from "@omp/std";
import zlib from "node:zlib";
import { HostError } from "../errors.ts";

/** @throws HostError "too-large" or "damaged" */
export async function contentOf(response: Response, maxBytes: number): Promise<Uint8Array> {
  const packed = await collected(response, maxBytes);
  const codings = (response.headers.get("content-encoding") ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > 2) throw new HostError("damaged", "The answer is packed too many times.");
  let content: Uint8Array = packed;
  for (const coding of codings.toReversed()) content = await unpacked(content, coding, maxBytes);
  return content;
}

async function collected({ body, headers }: Response, maxBytes: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    await body.cancel().catch((error: unknown) => ignore(error, "nobody wants it"));
    throw tooLarge(maxBytes);
  }
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of body) {
    total += part.length;
    // Leaving the loop cancels the rest.
    if (total > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const UNPACK: Readonly<Record<string, typeof zlib.gunzip>> = {
  gzip: zlib.gunzip,
  "x-gzip": zlib.gunzip,
  deflate: zlib.inflate,
  br: zlib.brotliDecompress as typeof zlib.gunzip,
  zstd: zlib.zstdDecompress as typeof zlib.gunzip,
};

async function unpacked(packed: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const unpack = UNPACK[coding];
  if (!unpack)
    throw new HostError("damaged", `The answer is packed in a way not known here: ${coding}`);
  if (packed.length === 0) return packed;
  return new Promise((resolve, reject) => {
    unpack(packed, { maxOutputLength: maxBytes }, (error, content) => {
      if (!error) return resolve(content);
      if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") return reject(tooLarge(maxBytes));
      reject(new HostError("damaged", "The answer cannot be unpacked.", { cause: error }));
    });
  });
}

function tooLarge(maxBytes: number): HostError {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return new HostError("too-large", `The answer is larger than ${megabytes} MB.`);
}
