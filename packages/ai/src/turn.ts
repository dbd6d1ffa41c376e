/** One turn from request to last event. Everything that can go wrong becomes that last event. */

import { log, messageOf } from "@omp/std";
import { exchange } from "./exchange.ts";
import { premiumRequestsOf } from "./initiator.ts";
import { withOpenedKey } from "./opened-key.ts";
import { malformed } from "./protocols/failure.ts";
import { MessageBuilder, type GrowthEvent } from "./protocols/message-builder.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { isProtocolId, protocols } from "./protocols/registry.ts";
import { providers } from "./providers/registry.ts";
import type { FinalEvent } from "./schema/event.ts";
import { ProviderError } from "./schema/fault.ts";
import type { Model, ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";
import { hostOf } from "./transport/http.ts";
import { DEFAULT_TIMEOUTS, Silence } from "./transport/silence.ts";

/** Events of one frame come together. One generator, not a row of them: each would cost every event its way. */
export async function* turnEvents(
  sent: ModelRequest,
  given: StreamOptions,
): AsyncGenerator<readonly GrowthEvent[], FinalEvent, void> {
  const { request, options } = withOpenedKey(sent, given);
  const { model } = request;
  const { clock, timeouts } = options;
  const out = new MessageBuilder(model, clock);
  const premiumRequests = premiumRequestsOf(request);
  if (premiumRequests !== undefined) out.billed({ premiumRequests });
  let final: FinalEvent;
  try {
    options.signal.throwIfAborted();
    const apiKey = keyFor(model, options);
    const protocol = await protocolOf(model);
    const broken = new AbortController();
    const { idleTimeoutMs: idleMs = DEFAULT_TIMEOUTS.idleMs } = model;
    const limits = { ...DEFAULT_TIMEOUTS, idleMs, ...timeouts };
    using silence = new Silence(clock, limits, hostOf(model.baseUrl), (error) =>
      broken.abort(error),
    );
    const signal = AbortSignal.any([options.signal, broken.signal]);
    const { bytes, headers } = await exchange(request, protocol, { ...options, apiKey, signal });
    const id = protocol.responseIdHeader && headers.get(protocol.responseIdHeader);
    if (id) out.responseId(id);
    const decoder = protocol.decoder(out, request);
    reading: for await (const arrived of protocol.framing(bytes)) {
      const frames = Array.isArray(arrived) ? arrived : [arrived];
      const last = frames.at(-1);
      for (const frame of frames) {
        // Frames that have arrived already must not outlive an abort.
        signal.throwIfAborted();
        decoder.frame(frame);
        if (frame !== last && out.mayGrow && !out.isStopped) continue;
        const events = out.take();
        if (events.length > 0) {
          silence.pause();
          yield events;
          silence.resume();
        }
        if (out.isStopped) break reading;
      }
    }
    if (!out.isStopped) decoder.end();
    final = out.finish("stopped");
  } catch (error) {
    const isAborted = options.signal.aborted;
    final = out.finish(isAborted ? "aborted" : withoutKey(faultIn(error), options.apiKey));
  }
  yield out.take();
  return final;
}

function keyFor(model: Model, { apiKey, sign }: StreamOptions): string | undefined {
  if (apiKey || model.isKeyless || sign) return apiKey || undefined;
  const provider = providers.find(({ id }) => id === model.provider);
  const advice = provider ? ` Set ${provider.keyEnv.join(" or ")}.` : "";
  throw new ProviderError(
    { kind: "auth", reason: "missing" },
    `No API key for ${provider?.name ?? model.provider}.${advice}`,
  );
}

async function protocolOf({ api }: Model): Promise<Protocol> {
  if (isProtocolId(api)) return protocols[api]();
  throw new ProviderError({ kind: "invalid-request" }, `No protocol is known by the name "${api}"`);
}

function faultIn(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  log.error("unexpected failure in a model turn", { error: String(error) });
  return malformed(`The answer could not be read: ${messageOf(error)}`, error);
}

const SHORTEST_SECRET = 6;

/** Some servers repeat the key they refuse. */
function withoutKey(error: ProviderError, key = ""): ProviderError {
  if (key.length < SHORTEST_SECRET || !error.message.includes(key)) return error;
  return new ProviderError(error.fault, error.message.replaceAll(key, "***"), error.status);
}
