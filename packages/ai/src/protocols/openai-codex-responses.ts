/** The Responses of a ChatGPT subscription: POST /responses below the address of its coding backend. */

import { ignore } from "@omp/std";
import type { ModelRequest } from "../schema/model.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Protocol } from "./protocol.ts";
import { systemText } from "./system-prompt.ts";
import { responsesFields } from "./responses/body.ts";
import { inputItems } from "./responses/input.ts";

export const openaiCodexResponses: Protocol = {
  ...openaiResponses,
  id: "openai-codex-responses",
  // The backend serves more than this; its address is known with and without the part for coding.
  path: ({ baseUrl }) => (/\/backend-api\/*$/.test(baseUrl) ? "/codex/responses" : "/responses"),
  headers,
  body,
};

/** We say who we are: the backend asks every client for its own name. */
const ORIGINATOR = "omp";

function headers(
  request: ModelRequest,
  apiKey: string | undefined,
): Readonly<Record<string, string>> {
  const { sessionId } = request;
  const account = apiKey === undefined ? undefined : accountOf(apiKey);
  return {
    ...openaiResponses.headers(request, apiKey),
    "openai-beta": "responses=experimental",
    originator: ORIGINATOR,
    ...(account !== undefined && { "chatgpt-account-id": account }),
    ...(sessionId !== undefined && { session_id: sessionId }),
  };
}

const CLAIM = "https://api.openai.com/auth";

/** A token of the login names the account it is for. A gateway's key does not, and needs no account. */
function accountOf(token: string): string | undefined {
  const [, claims, signature] = token.split(".");
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const read = JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims | null;
    const account = read?.[CLAIM]?.chatgpt_account_id;
    return typeof account === "string" ? account : undefined;
  } catch (error) {
    ignore(error, "a key with two dots in it is not a token");
    return undefined;
  }
}

interface Claims {
  readonly [CLAIM]?: { readonly chatgpt_account_id?: unknown };
}

/** The backend sets limits and sampling itself, and wants the instructions apart. */
function body(request: ModelRequest): object {
  const { model, messages } = request;
  return {
    ...responsesFields(request),
    instructions: systemText(request) || "You are a helpful assistant.",
    input: inputItems(messages, model),
  };
}
