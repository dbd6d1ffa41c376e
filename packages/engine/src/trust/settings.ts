/** Which settings of a project's file may count: what is harmless, and what the person has consented to. */

import type { Trust } from "@omp/agent";
import { dangerousIn, valueAt } from "./dangerous.ts";
import { examine } from "./examine.ts";
import { canonicalPath, projectRoot } from "./folder.ts";
import { dataPieces } from "./listing.ts";
import { MCP } from "./places.ts";

/** Consent is to values: a file that changed between the look and the use gains nothing. */
export async function consentedSettings(
  path: string,
  cwd: string,
  trust: Pick<Trust, "allowed">,
): Promise<(name: string, value: unknown) => boolean> {
  const pieces = dataPieces(path, MCP).filter(({ kind }) => kind === "settings");
  const root = projectRoot(canonicalPath(cwd));
  const examined = pieces.map((piece) => examine(piece, root));
  const allowed = await trust.allowed(examined.map(({ item }) => item));
  const fields = examined
    .filter(({ item }) => allowed.some((one) => one.contentHash === item.contentHash))
    .map((one) => one.fields);
  return (name, value) =>
    dangerousIn({ [name]: value }).every((danger) => {
      const wanted = danger.path === name ? value : valueAt({ [name]: value }, danger.path);
      return fields.some((known) => Bun.deepEquals(valueAt(known, danger.path), wanted));
    });
}
