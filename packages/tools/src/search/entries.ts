/** Several paths in one string, as models write them: taken apart where that is what was meant. */

/** @param exists whether something is there, for a path or the fixed part of a glob */
export async function separated(
  entries: readonly string[],
  exists: (entry: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (const entry of entries) all.push(...(await parts(entry.trim(), exists)));
  return all.filter((entry) => entry !== "");
}

async function parts(
  entry: string,
  exists: (entry: string) => Promise<boolean>,
): Promise<readonly string[]> {
  if (!/[;,\s]/.test(entry) || (await exists(entry))) return [entry];
  if (entry.includes(";")) {
    const found = await Promise.all(trimmed(entry, ";").map((part) => parts(part, exists)));
    return found.flat();
  }
  const byComma = trimmed(entry, /,(?![^{]*\})/);
  const isThere = await Promise.all(byComma.map(exists));
  if (byComma.length > 1 && isThere.includes(true)) return byComma;
  const byBlank = trimmed(entry, /\s+/);
  const isAllThere = (await Promise.all(byBlank.map(exists))).every(Boolean);
  return isAllThere ? byBlank : [entry];
}

function trimmed(entry: string, separator: string | RegExp): readonly string[] {
  return entry
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
