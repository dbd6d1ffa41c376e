/** Reads the JUnit report of `bun test`: exact counts, and which tests did not run. */

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Names of the tests that did not run, with the suites around them. */
  readonly skipped: readonly string[];
}

const CASE = /<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs;

export function readJunit(xml: string): TestCounts {
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  for (const [, attributes = "", body = ""] of xml.matchAll(CASE)) {
    if (/<(failure|error)\b/.test(body)) failed++;
    else if (/<skipped\b/.test(body)) skipped.push(nameOf(attributes));
    else passed++;
  }
  return { passed, failed, skipped };
}

function nameOf(attributes: string): string {
  return ["file", "classname", "name"]
    .map((key) => new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1] ?? "")
    .filter((part) => part !== "")
    .map(decode)
    .join(" > ");
}

const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
};

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
