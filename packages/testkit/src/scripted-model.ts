/** A model that follows a script, behind a real socket: the double for every provider in tests. */

import { ignore, messageOf } from "@omp/std";
import { Connection, type ClientSocket } from "./connection.ts";
import type { HttpRequest } from "./http-reader.ts";
import { pause, playAnswer, sendBody } from "./play.ts";
import type { Ending, RecordedRequest, Refusal } from "./recorded-request.ts";
import { Tally } from "./tally.ts";
import { fail, type Turn, type TurnSource } from "./turn.ts";
import { wires } from "./wires/registry.ts";
import type { Wire, WireRequest } from "./wires/wire.ts";

export interface ScriptedModelOptions {
  /** Play the last turn for every further request instead of failing. */
  readonly repeatLast?: boolean;
  /** Refuse what the vendor would refuse. Default true. */
  readonly strict?: boolean;
}

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests whose connection the client closed before the answer was out. */
  readonly closedByClient: readonly RecordedRequest[];
  readonly openConnections: number;
  /** What a program needs to find this server instead of the vendors. */
  environment(): Record<string, string>;
  /** The nth request, counted from 1, as soon as its last byte has come. */
  waitForRequest(number: number, timeoutMs?: number): Promise<RecordedRequest>;
  /** The nth request, counted from 1, that the client gave up on. */
  waitForClosedByClient(number: number, timeoutMs?: number): Promise<RecordedRequest>;
}

const PATIENCE_MS = 10_000;

export async function scriptedModel(
  turns: readonly TurnSource[],
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const stage = new Stage(turns, options);
  const server = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => stage.connect(socket),
      data: (socket, bytes) => stage.receive(socket.data, bytes),
      drain: (socket) => socket.data.onDrain(),
      close: (socket) => stage.disconnect(socket.data),
      // The close that follows says all there is to say.
      error() {},
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    requests: stage.requests.items,
    closedByClient: stage.closedByClient.items,
    get openConnections() {
      return stage.connections.size;
    },
    environment: () => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "test-anthropic-key-0001",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: "test-openai-key-0001",
    }),
    waitForRequest: (number, timeoutMs = PATIENCE_MS) =>
      stage.requests.nth(number, "request", timeoutMs),
    waitForClosedByClient: (number, timeoutMs = PATIENCE_MS) =>
      stage.closedByClient.nth(number, "request closed by the client", timeoutMs),
    async [Symbol.asyncDispose]() {
      server.stop();
      await stage.close();
    },
  };
}

/** What will be done about a request: play a turn, or refuse. */
type Cue =
  | { readonly wire: Wire; readonly source: TurnSource; readonly turnIndex: number }
  | { readonly wire: Wire | undefined; readonly refusal: Refusal };

class Stage {
  readonly requests = new Tally<RecordedRequest>();
  readonly closedByClient = new Tally<RecordedRequest>();
  readonly connections = new Set<Connection>();
  readonly #playing = new Set<Promise<void>>();
  #nextTurn = 0;
  #isClosed = false;

  constructor(
    readonly turns: readonly TurnSource[],
    readonly options: ScriptedModelOptions,
  ) {}

  connect(socket: ClientSocket): void {
    socket.data = new Connection(socket);
    socket.setNoDelay(true);
    this.connections.add(socket.data);
  }

  disconnect(connection: Connection): void {
    this.connections.delete(connection);
    connection.onClose();
  }

  receive(connection: Connection, bytes: Uint8Array): void {
    try {
      for (const http of connection.reader.push(bytes)) {
        const admitted = this.#admit(http, connection);
        this.#track(connection.enqueue(admitted));
      }
    } catch (error) {
      const response = { status: 400, headers: {}, body: messageOf(error) };
      this.#track(sendBody(response, connection).then(() => connection.end()));
    }
  }

  #track(work: Promise<void>): void {
    this.#playing.add(work);
    void work.finally(() => this.#playing.delete(work));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const connection of this.connections) connection.abandon();
    await Promise.all(this.#playing);
  }

  /** Records the request and takes its turn now, so that turns go out in the order of arrival. */
  #admit(http: HttpRequest, connection: Connection): () => Promise<void> {
    const body = parseBody(http.body);
    const request: WireRequest = { ...http, body, serial: this.requests.items.length };
    const cue = this.#cue(http, request);
    const { promise: ended, resolve } = Promise.withResolvers<Ending>();
    const recorded: RecordedRequest = {
      wire: cue.wire?.id,
      method: http.method,
      path: http.path,
      query: http.query,
      headers: http.headers,
      body,
      receivedAt: performance.now(),
      turnIndex: "source" in cue ? cue.turnIndex : undefined,
      refusal: "refusal" in cue ? cue.refusal : undefined,
      ended,
    };
    this.requests.push(recorded);
    return async () => {
      const ending = await respond(cue, request, recorded, connection);
      if (ending === "closed-by-client") this.closedByClient.push(recorded);
      resolve(this.#isClosed ? "disposed" : ending);
      if (http.headers["connection"]?.toLowerCase() === "close") connection.end();
    };
  }

  #cue(http: HttpRequest, request: WireRequest): Cue {
    const wire = wires.find((candidate) => candidate.matches(http.path));
    const refuse = (status: number, message: string): Cue => ({
      wire,
      refusal: { status, message },
    });
    if (!wire) return refuse(404, `The scripted model speaks no protocol at ${http.path}`);
    if (http.method !== "POST") return refuse(405, `${http.method} is not allowed here`);
    const refusal = this.options.strict === false ? undefined : wire.refuse(request);
    if (refusal) return { wire, refusal };
    const turnIndex = this.#nextTurn++;
    const source =
      this.turns[turnIndex] ?? (this.options.repeatLast ? this.turns.at(-1) : undefined);
    if (source) return { wire, source, turnIndex: Math.min(turnIndex, this.turns.length - 1) };
    return refuse(
      500,
      `The script has ${this.turns.length} turns; this is request ${turnIndex + 1}`,
    );
  }
}

async function respond(
  cue: Cue,
  request: WireRequest,
  recorded: RecordedRequest,
  connection: Connection,
): Promise<Ending> {
  if ("refusal" in cue) return refuse(cue.wire, cue.refusal, connection);
  const { wire } = cue;
  const turn = await turnOf(cue.source, recorded);
  if (turn.kind === "answer") return playAnswer(turn, { wire, request, connection });
  await pause(turn.delayMs, connection);
  const { status, headers, message, body = wire.errorBody(status, message) } = turn;
  return sendBody({ status, headers, body }, connection);
}

function refuse(
  wire: Wire | undefined,
  { status, message }: Refusal,
  connection: Connection,
): Promise<Ending> {
  const body = wire?.errorBody(status, message) ?? JSON.stringify({ error: { message } });
  return sendBody({ status, headers: {}, body }, connection);
}

/** A script that throws is a broken test; the client hears of it as a failure of the server. */
async function turnOf(source: TurnSource, request: RecordedRequest): Promise<Turn> {
  if (typeof source !== "function") return source;
  try {
    return await source(request);
  } catch (error) {
    return fail(500, { message: `The script threw: ${messageOf(error)}` });
  }
}

function parseBody(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    ignore(error, "the rules of the wire say that the body is not JSON");
    return text;
  }
}
