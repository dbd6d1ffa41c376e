/** Which documents are read, by name. */

const DOCUMENT_KINDS = ["pdf", "docx", "xlsx", "pptx", "epub", "doc", "xls", "ppt", "rtf"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** By name; undefined for what is no document. */
export function documentKind(path: string): DocumentKind | undefined {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  return DOCUMENT_KINDS.find((kind) => kind === ending);
}
