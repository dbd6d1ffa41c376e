/** What the built binary puts on a real terminal: words of the model, never its escape sequences. */

import { callTool, say, scriptedModel, turn, virtualTerminal, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";

const binary = process.env["OMP_BINARY"] ?? join(import.meta.dir, "../../dist/omp");

const HOSTILE = [
  "\x1b]52;c;ZXZpbA==\x07", // the clipboard
  "\x1b]0;owned\x07", // the title
  "\x1b[2J\x1b[H\x1b[?1049h", // the screen
  "\x1bP$qm\x1b\\\x1b[c\x1b[6n", // questions the terminal answers as if typed
  "\x9b31m\x9d0;owned\x9c", // the same in one byte
  "\u202Egnp.exe\u202C\u{E0041}\u200B", // text that is not what it seems
  "\x1b]8;;http://evil.example\x07link\x1b]8;;\x07",
].join(" and ");

test("escape sequences in answers and errors do not reach the terminal; the words do", async () => {
  await using model = await scriptedModel([
    turn(say(`before ${HOSTILE} after`)),
    turn(callTool(`na\x1b[31mme`, {}), say("x")),
    turn(say("end")),
  ]);
  await using place = await workspace();
  for (const prompt of ["one", "two"]) {
    await using terminal = await virtualTerminal({
      command: [binary, "-p", prompt],
      cwd: place.path,
      env: { PATH: process.env["PATH"] ?? "", HOME: place.home, ...model.environment() },
      cols: 200,
      rows: 20,
    });
    await terminal.exited;
    const bytes = Buffer.from(terminal.rawBytes()).toString("latin1");
    expect(bytes).toContain("Working...");
    expect(bytes).not.toMatch(/[\x1b\x9b\x9d\x07]/);
    const screen = terminal.screen().join("\n");
    if (prompt === "one") expect(screen).toMatch(/before .*gnp\.exe.*link.* after/s);
    else expect(screen).toContain("end");
  }
});
