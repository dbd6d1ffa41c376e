/** POST /responses/compact: a conversation in, the items that stand for it out. */

import { messageOf } from "@omp/std";
import { writtenBy } from "./exchange.ts";
import { withOpenedKey } from "./opened-key.ts";
import { malformed } from "./protocols/failure.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { protocols } from "./protocols/registry.ts";
import { inputItems } from "./protocols/responses/input.ts";
import { systemText } from "./protocols/system-prompt.ts";
import { ProviderError } from "./schema/fault.ts";
import type { ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";
import { post } from "./transport/http.ts";

export async function compactHistory(
  sent: ModelRequest,
  given: StreamOptions,
): Promise<readonly object[]> {
  const { request, options } = withOpenedKey(sent, given);
  const { apiKey, sign, signal, clock, fetch = globalThis.fetch } = options;
  const protocol = compacting(await protocolOf(request));
  const written = writtenBy(protocol, request, apiKey);
  const signature = apiKey === undefined ? await sign?.(written, signal) : undefined;
  const response = await post(
    { ...written, headers: { ...written.headers, ...signature, accept: "application/json" } },
    fetch,
    signal,
  );
  const text = await response.text();
  const { status, headers } = response;
  if (!response.ok) throw protocol.failure({ status, headers, text, now: clock.now() });
  return outputIn(text);
}

async function protocolOf({ model }: ModelRequest): Promise<Protocol> {
  switch (model.api) {
    case "openai-responses":
    case "openai-codex-responses":
      return protocols[model.api]();
    default:
      throw new ProviderError({ kind: "invalid-request" }, `${model.api} cannot compact`);
  }
}

function compacting(protocol: Protocol): Protocol {
  return {
    ...protocol,
    path: (model) => `${protocol.path(model)}/compact`,
    body(request) {
      const { model, messages } = request;
      const instructions = systemText(request);
      const input = inputItems(messages, model);
      return { model: model.id, input, ...(instructions && { instructions }) };
    },
  };
}

function outputIn(text: string): readonly object[] {
  try {
    const { output } = JSON.parse(text) as { readonly output?: unknown };
    const isList = Array.isArray(output) && output.length > 0;
    if (isList && output.every((item) => typeof item === "object" && item !== null)) return output;
  } catch (error) {
    throw malformed(`The compacted conversation could not be read: ${messageOf(error)}`, error);
  }
  throw malformed("The answer has no compacted conversation");
}
