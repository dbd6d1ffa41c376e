/** Changes one file as the tools do, to be killed, refused or cut off. It says `OK`, or `ERR` and the kind. */

import { readFileSync, writeSync } from "node:fs";
import { createFiles, HostError } from "../src/index.ts";

const [work = "", path = "", content = ""] = process.argv.slice(2);
const files = createFiles({
  home: "/",
  // A journal reads along; it must not get in the way.
  ...(work === "journaled" && { beforeChange: () => Promise.resolve() }),
});
const after = readFileSync(content);
const expected = work === "expected" ? { expected: readFileSync(path) } : {};

writeSync(1, "START\n");
try {
  await (work === "remove" ? files.remove(path) : files.write(path, after, expected));
  writeSync(1, "OK\n");
} catch (error) {
  if (!(error instanceof HostError)) throw error;
  writeSync(1, `ERR ${error.kind}\n`);
}
