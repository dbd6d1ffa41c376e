/** A real program in a real pseudo-terminal, and a terminal emulator that shows what a person would see. */

import type { Terminal } from "@xterm/headless";
import { cleanEnvironment, type Variables } from "./environment.ts";
import { killGroup } from "./process-group.ts";
import { Watch } from "./watch.ts";

export interface VirtualTerminalOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** The only variables besides PATH, TMPDIR, LANG and TERM. */
  readonly env?: Variables;
  readonly cols?: number;
  readonly rows?: number;
}

export interface VirtualTerminal extends AsyncDisposable {
  readonly pid: number;
  /** The visible lines, without blanks at their ends. */
  screen(): string[];
  /** The lines that have scrolled off the top, oldest first. */
  scrollback(): string[];
  /** Counted from 0. */
  cursor(): { readonly row: number; readonly column: number };
  /** Every byte the program has written so far. */
  rawBytes(): Uint8Array;
  /** Types; `\r` is the Enter key. */
  write(keys: string | Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Resolves when the screen shows the text or passes the test; rejects with the screen as it is. */
  waitFor(
    wanted: string | ((screen: readonly string[]) => boolean),
    timeoutMs?: number,
  ): Promise<void>;
  /** The exit code, once all output has been shown. */
  readonly exited: Promise<number>;
}

const PATIENCE_MS = 10_000;
const SCROLLBACK_LINES = 100_000;

export async function virtualTerminal(options: VirtualTerminalOptions): Promise<VirtualTerminal> {
  const { Terminal } = await import("@xterm/headless");
  const { cols = 80, rows = 24 } = options;
  const emulator = new Terminal({
    cols,
    rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
  });
  const display = new Display(emulator);
  const program = Bun.spawn([...options.command], {
    cwd: options.cwd,
    env: cleanEnvironment(undefined, { TERM: "xterm-256color", ...options.env }),
    terminal: { cols, rows, data: (_, bytes) => display.show(bytes) },
  });
  const pty = program.terminal;
  if (!pty) throw new Error("the program was started without a terminal");
  // Programs ask a terminal for its colours, size and cursor; the emulator answers as a real one does.
  emulator.onData((reply) => pty.write(reply));
  const exited = program.exited.then(async (code) => {
    await display.settle();
    return code;
  });
  return {
    pid: program.pid,
    screen: () => display.screen(),
    scrollback: () => display.scrollback(),
    cursor: () => display.cursor(),
    rawBytes: () => display.rawBytes(),
    write: (keys) => void pty.write(keys),
    resize(newCols, newRows) {
      emulator.resize(newCols, newRows);
      pty.resize(newCols, newRows);
    },
    waitFor: (wanted, timeoutMs = PATIENCE_MS) => display.waitFor(wanted, timeoutMs),
    exited,
    async [Symbol.asyncDispose]() {
      killGroup(program.pid);
      await exited;
      pty.close();
      emulator.dispose();
    },
  };
}

class Display {
  readonly #chunks: Uint8Array[] = [];
  readonly #watch = new Watch();

  constructor(readonly emulator: Terminal) {}

  show(bytes: Uint8Array): void {
    // The buffer belongs to the terminal and is used again for the next read.
    const copy = Uint8Array.from(bytes);
    this.#chunks.push(copy);
    this.emulator.write(copy, () => this.#watch.poke());
  }

  /** Resolves when everything that has come is on the screen: the emulator works in slices of time. */
  settle(): Promise<void> {
    return new Promise((resolve) => this.emulator.write("", resolve));
  }

  rawBytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  cursor() {
    const { cursorY, cursorX } = this.emulator.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  screen(): string[] {
    const { baseY } = this.emulator.buffer.active;
    return this.#lines(baseY, baseY + this.emulator.rows);
  }

  scrollback(): string[] {
    return this.#lines(0, this.emulator.buffer.active.baseY);
  }

  async waitFor(
    wanted: string | ((screen: readonly string[]) => boolean),
    timeoutMs: number,
  ): Promise<void> {
    const isThere =
      typeof wanted === "string"
        ? (screen: readonly string[]) => screen.some((line) => line.includes(wanted))
        : wanted;
    await this.#watch.until(
      () => isThere(this.screen()) || undefined,
      timeoutMs,
      () => {
        const shown = this.screen().join("\n").trimEnd();
        return `not on the screen after ${timeoutMs} ms: ${wanted.toString()}\n${shown}`;
      },
    );
  }

  #lines(from: number, to: number): string[] {
    const { active } = this.emulator.buffer;
    return Array.from(
      { length: to - from },
      (_, i) =>
        active
          .getLine(from + i)
          ?.translateToString(true)
          .trimEnd() ?? "",
    );
  }
}
