/** One list of cases that every implementation of an interface must pass. */

import { describe, test } from "bun:test";

export interface ContractSubject<Subject> {
  /** The implementation under test, as it is called in the report. */
  readonly name: string;
  /** Makes a fresh one for each case; it is disposed afterwards where it can be. */
  readonly subject: () => Subject | Promise<Subject>;
  /** Cases that do not apply, each with the reason. */
  readonly skip?: readonly { readonly case: string; readonly reason: string }[];
}

type Case<Subject> = (subject: Subject) => Promise<void> | void;

/**
 * `define` names the cases as a test file names its tests: `test("ID-01 does it", async (subject) => ...)`.
 * @returns a function that registers all cases for one implementation
 */
export function contractSuite<Subject>(
  name: string,
  define: (test: (title: string, run: Case<Subject>) => void) => void,
): (implementation: ContractSubject<Subject>) => void {
  const cases = new Map<string, Case<Subject>>();
  define((title, run) => {
    if (cases.has(title)) throw new Error(`${name} has two cases "${title}"`);
    cases.set(title, run);
  });
  return ({ name: implementation, subject, skip = [] }) => {
    for (const { case: skipped, reason } of skip) {
      if (!cases.has(skipped)) throw new Error(`${name} has no case "${skipped}" to skip`);
      if (reason.trim() === "") throw new Error(`${name}: the skip of "${skipped}" needs a reason`);
    }
    const reasons = new Map(skip.map((entry) => [entry.case, entry.reason]));
    describe(`${name}: ${implementation}`, () => {
      for (const [title, run] of cases) {
        const reason = reasons.get(title);
        const register = reason === undefined ? test : test.skip;
        register(reason === undefined ? title : `${title} (${reason})`, () =>
          runCase(subject, run),
        );
      }
    });
  };
}

async function runCase<Subject>(
  make: () => Subject | Promise<Subject>,
  run: Case<Subject>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const subject = await make();
  if (isDisposable(subject)) stack.use(subject);
  await run(subject);
}

function isDisposable(value: unknown): value is AsyncDisposable | Disposable {
  if (typeof value !== "object" || value === null) return false;
  return Symbol.asyncDispose in value || Symbol.dispose in value;
}
