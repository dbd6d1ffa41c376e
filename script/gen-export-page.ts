/** Bundles the exported page into packages/engine/src/export/page.generated.txt. With --check it only says whether that is stale. */

import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");
const folder = join(root, "packages/engine/page");
const target = join(root, "packages/engine/src/export/page.generated.txt");
/** A page that is shared is also sent: what it weighs, everybody carries. */
const MAX_BYTES = 350 * 1024;

/** The page with all that does not depend on a session; what does has a mark, `%%omp:name%%`. */
export async function renderPage(): Promise<string> {
  const [script, style, shell] = await Promise.all([
    bundled(import.meta.resolve("../packages/engine/page/main.ts")),
    squeezed(),
    frame(),
  ]);
  const parts: Readonly<Record<string, string>> = {
    script,
    style,
    scriptHash: `sha256-${hashOf(script)}`,
    styleHash: `sha256-${hashOf(style)}`,
  };
  // A function, because a text would be searched for `$&` and the like.
  return shell.replaceAll(/%%omp:(\w+)%%/g, (mark, name: string) => parts[name] ?? mark);
}

async function bundled(url: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [Bun.fileURLToPath(url)],
    target: "browser",
    format: "iife",
    minify: true,
    throw: true,
  });
  const text = (await outputs[0]!.text()).trim();
  if (text.includes("%%omp:")) throw new Error(`${url}: its bundle holds a mark of the page`);
  // In strings and patterns alike this stands for `<`, and cannot end the element around it.
  return text.replaceAll(/<(?=\/?(?:script|style)|!--)/gi, "\\x3c");
}

/** The later ones win. */
const SHEETS = ["base", "side", "thread", "folds", "text", "code", "screens"] as const;

/** Not by the bundler: it would write `light-dark()` for browsers that do not know it, at a third more. */
async function squeezed(): Promise<string> {
  const texts = SHEETS.map((name) => Bun.file(join(folder, "style", `${name}.css`)).text());
  return (await Promise.all(texts))
    .join("")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};]) ?/g, "$1")
    .trim();
}

/** The elements whose content is hashed are added here: a formatter would take it for code. */
const STYLES = "<style>%%omp:style%%</style><style>%%omp:themeStyle%%</style>";
const SCRIPTS =
  '<script id="session-data" type="application/json">%%omp:data%%</script><script>%%omp:script%%</script>';

async function frame(): Promise<string> {
  const text = await Bun.file(join(folder, "shell.html")).text();
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("> <", "><")
    .replace("<!-- styles -->", STYLES)
    .replace("<!-- scripts -->", SCRIPTS);
}

function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("base64");
}

if (import.meta.main) {
  const page = await renderPage();
  const size = Buffer.byteLength(page);
  if (size > MAX_BYTES) throw new Error(`the page has ${size} bytes, more than ${MAX_BYTES}`);
  const current = Bun.file(target);
  const isSame = (await current.exists()) && (await current.text()) === page;
  if (!process.argv.includes("--check")) {
    await Bun.write(target, page);
    console.log(`${target}: ${size} bytes`);
  } else if (!isSame) {
    console.error(
      "page.generated.txt is out of date: run node script/bun.mjs script/gen-export-page.ts",
    );
    process.exitCode = 1;
  }
}
