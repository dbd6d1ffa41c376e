/** The environment of programs under test: nothing of the machine but what a program needs to start. */

import { tmpdir } from "node:os";

/** Variables that are `undefined` are left out. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** PATH, TMPDIR, LANG, a HOME where one is given, and `more`; no key or setting of the machine. */
export function cleanEnvironment(
  home: string | undefined,
  more: Variables = {},
): Record<string, string> {
  const variables: Variables = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
    ...more,
  };
  const given = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}
