/** Words as the search knows them: the same rule cuts what is stored and what is asked for. Pure. */

/** Runs that can hold words. What is left out separates words everywhere. */
const RUN = /[A-Za-z0-9\u0080-\u{10ffff}]+/gu;
const IS_ASCII = /^[\0-\x7f]*$/;
/** Scripts that put no blanks between words: each character is a word, a longer one is a phrase. */
const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
/** A symbol (an arrow, an emoji) is a word of its own; those of ASCII are punctuation. */
const WORD = new RegExp(
  `[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+|(?![\\0-\\x7f])\\p{S}`,
  "gu",
);

export function wordsOf(text: string): string[] {
  return (text.match(RUN) ?? []).flatMap(wordsOfRun);
}

/** Where the phrase stands first, near enough to show it; undefined where it does not. */
export function placeOf(phrase: readonly string[], text: string): number | undefined {
  const recent: { readonly word: string; readonly start: number }[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let start = index;
    for (const word of wordsOfRun(run)) {
      recent.push({ word, start });
      start += word.length;
      if (recent.length > phrase.length) recent.shift();
      if (
        recent.length === phrase.length &&
        standsAt(
          phrase,
          recent.map((one) => one.word),
          0,
        )
      )
        return recent[0]!.start;
    }
  }
  return undefined;
}

/** Text that cut at everything but ASCII letters, digits and other characters gives just our words. */
export function plainText(text: string): string {
  const safe = text.replaceAll("\0", " ");
  if (IS_ASCII.test(safe)) return safe;
  return safe.replace(RUN, (run) => (IS_ASCII.test(run) ? run : wordsOfRun(run).join(" ")));
}

/**
 * What a person typed, as phrases that must all be found, the last word of each as the beginning of
 * a word. Blanks part phrases; nothing a person can type has another meaning.
 */
export function phrasesOf(query: string): readonly (readonly string[])[] {
  return query
    .split(/[\s\0]+/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

/** Whether the phrase stands at this place of the words. */
function standsAt(phrase: readonly string[], words: readonly string[], place: number): boolean {
  const last = phrase.length - 1;
  return phrase.every((word, at) => {
    const found = words[place + at];
    return at === last ? found?.startsWith(word) : found === word;
  });
}

function wordsOfRun(run: string): string[] {
  if (IS_ASCII.test(run)) return [run.toLowerCase()];
  return folded(run).match(WORD) ?? [];
}

/** One spelling for each word, without case, accents and widths. */
function folded(run: string): string {
  return run.normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "").replaceAll("ς", "σ");
}
