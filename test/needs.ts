/** Tests that need a program of the system: `const test = needs("git");`. */

import { test as plainTest } from "bun:test";

type Body = () => void | Promise<unknown>;
type Test = (name: string, body: Body, timeoutMs?: number) => void;

/** Without the program a test is skipped under a name that says so. In CI every program must be there. */
export function needs(program: string): Test {
  if (Bun.which(program)) return plainTest;
  const reason = `(needs ${program})`;
  if (process.env["CI"] !== "true") {
    return (name, body, timeoutMs) => plainTest.skip(`${name} ${reason}`, body, timeoutMs);
  }
  return (name) =>
    plainTest(`${name} ${reason}`, () => {
      throw new Error(`${program} is not installed; .ci/run must install it`);
    });
}
