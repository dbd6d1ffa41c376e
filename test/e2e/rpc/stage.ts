/** Shared by the scenarios of RPC mode: omp behind its two pipes, one frame at a time. */

import { startOmp, type OmpOptions, type OmpResult, type Workspace } from "@omp/testkit";

export interface Frame {
  readonly type: string;
  readonly id?: string | number;
  readonly command?: string;
  readonly success?: boolean;
  readonly error?: string;
  // A frame is looked at by its test, which knows its shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [field: string]: any;
}

export interface Rpc extends AsyncDisposable {
  readonly pid: number;
  /** All that has come so far. A line that is not JSON fails the test. */
  frames(): readonly Frame[];
  /** A frame, or a line as it is. */
  send(frame: object | string | Uint8Array): Promise<void>;
  /** Sends a command and waits for its first answer. */
  ask(command: object): Promise<Frame>;
  /** The first frame that passes, from the `from`th on. */
  until(isIt: (frame: Frame) => boolean, from?: number): Promise<Frame>;
  untilType(type: string, from?: number): Promise<Frame>;
  /** Sends a prompt and waits for the end of its run. */
  prompt(message: string, rest?: object): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
  /** Closes the input and waits for the end. */
  end(): Promise<OmpResult>;
}

type Options = Partial<OmpOptions> & {
  readonly args?: readonly string[];
  /** What stands in front of `--mode rpc`, where the binary is another program. */
  readonly before?: readonly string[];
};

export async function startRpc(
  place: Workspace,
  environment: Record<string, string>,
  { args = [], before = [], env, ...options }: Options = {},
): Promise<Rpc> {
  const omp = startOmp([...before, "--mode", "rpc", ...args], {
    cwd: place.path,
    home: place.home,
    ...options,
    env: { ...environment, ...env },
  });
  const seen: Frame[] = [];
  let read = 0;
  const frames = () => {
    const end = omp.stdout.lastIndexOf("\n") + 1;
    const lines = omp.stdout.slice(read, end).split("\n").slice(0, -1);
    read = end;
    seen.push(...lines.map((line) => JSON.parse(line)));
    return seen;
  };
  const send = async (frame: object | string | Uint8Array) => {
    if (frame instanceof Uint8Array)
      return omp.writeStdin(Buffer.concat([frame, Buffer.from("\n")]));
    return omp.writeStdin(`${typeof frame === "string" ? frame : JSON.stringify(frame)}\n`);
  };
  const until = async (isIt: (frame: Frame) => boolean, from = 0) => {
    const found = () => frames().slice(from).find(isIt);
    await omp.waitForStdout(() => found() !== undefined);
    return found()!;
  };
  let count = 0;
  const ask = async (command: object) => {
    const id = `test-${++count}`;
    await send({ id, ...command });
    return until((frame) => frame.type === "response" && frame.id === id);
  };
  const untilType = (type: string, from?: number) => until((frame) => frame.type === type, from);
  await until(() => true);
  return {
    pid: omp.pid,
    frames,
    send,
    ask,
    until,
    untilType,
    async prompt(message, rest = {}) {
      const from = frames().length;
      await ask({ type: "prompt", message, ...rest });
      await untilType("agent_end", from);
    },
    kill: (signal) => omp.kill(signal),
    async end() {
      await omp.closeStdin();
      return omp.ended;
    },
    [Symbol.asyncDispose]: () => omp[Symbol.asyncDispose](),
  };
}

/** The texts of a message or of a tool's output. */
export function textIn({ content }: { content: string | readonly { text?: string }[] }): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}
