/** Source code as coloured pieces. Pure: the page makes nodes of them. */

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

export interface Colored {
  readonly text: string;
  /** The kind of word, such as `keyword`; absent for plain text. */
  readonly scope?: string;
}

/** Longer code is shown plain: colours are not worth a page that stands still. */
const MAX_LENGTH = 100_000;

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const ENDINGS: Readonly<Record<string, string>> = {
  cjs: "javascript",
  cts: "typescript",
  h: "c",
  hpp: "cpp",
  cs: "csharp",
  kt: "kotlin",
  mts: "typescript",
  tsx: "typescript",
  toml: "ini",
  vue: "xml",
  svelte: "xml",
  jsonl: "json",
  jsonc: "json",
  scss: "css",
};

/** @param language a name, an alias or the ending of a file; unknown ones are plain */
export function highlight(code: string, language: string): readonly Colored[] {
  const name = ENDINGS[language.toLowerCase()] ?? language.toLowerCase();
  if (code.length > MAX_LENGTH || name === "" || !hljs.getLanguage(name)) return [{ text: code }];
  const { _emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return flat((_emitter as unknown as { readonly rootNode: TokenNode }).rootNode);
}

export function languageOf(path: string): string {
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  if (name === "makefile" || name === "dockerfile") return name;
  return name.includes(".") ? (name.split(".").at(-1) ?? "") : "";
}

interface TokenNode {
  readonly scope?: string;
  readonly children: readonly (TokenNode | string)[];
}

function flat(node: TokenNode, outer?: string): Colored[] {
  // A language within a language is no colour.
  const own = node.scope?.startsWith("language:") ? undefined : node.scope;
  const scope = own ?? outer;
  return node.children.flatMap((child) => {
    if (typeof child !== "string") return flat(child, scope);
    return scope === undefined ? [{ text: child }] : [{ text: child, scope }];
  });
}
