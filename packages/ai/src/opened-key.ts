/** Keys that are more than a word: JSON with a token, and the address of the company it is for. */

import { ignore } from "@omp/std";
import type { ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";

interface Turn {
  readonly request: ModelRequest;
  readonly options: StreamOptions;
}

/** Everything after this knows the token only, so that it is the token which no message repeats. */
export function withOpenedKey(request: ModelRequest, options: StreamOptions): Turn {
  const opened = options.apiKey?.startsWith("{") ? openedKey(options.apiKey) : undefined;
  if (typeof opened?.token !== "string") return { request, options };
  const { token, enterpriseUrl } = opened;
  const model =
    typeof enterpriseUrl === "string" && enterpriseUrl !== ""
      ? { ...request.model, baseUrl: withScheme(enterpriseUrl) }
      : request.model;
  return { request: { ...request, model }, options: { ...options, apiKey: token } };
}

interface KeyDocument {
  readonly token?: unknown;
  readonly enterpriseUrl?: unknown;
}

function openedKey(key: string): KeyDocument | undefined {
  try {
    return JSON.parse(key) as KeyDocument;
  } catch (error) {
    ignore(error, "a key may begin with a brace and be no JSON");
    return undefined;
  }
}

function withScheme(url: string): string {
  return /^https?:\/\//.test(url) ? url : `https://${url}`;
}
