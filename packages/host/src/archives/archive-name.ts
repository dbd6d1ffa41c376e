/** Names that archives have. What is not named like one is not opened as one. */

const ARCHIVE =
  /\.(?:tar|tar\.gz|tgz|tar\.zst|tzst|zip|jar|war|ear|apk|whl|ipa|xpi|vsix|nupkg|cbz)$/i;

export function isArchiveName(path: string): boolean {
  return ARCHIVE.test(path);
}
