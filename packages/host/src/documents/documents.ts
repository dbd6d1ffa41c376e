/** Documents of other programs as text. What makes the text of each kind is loaded when one is read. */

import { HostError } from "../errors.ts";
import type { DocumentKind } from "./document-kind.ts";

export interface Documents {
  /** Markdown, or plain text. @throws HostError */
  text(kind: DocumentKind, bytes: Uint8Array, signal: AbortSignal): Promise<string>;
}

export const documents: Documents = {
  async text(kind, bytes, signal) {
    switch (kind) {
      case "pdf":
        return (await import("./pdf.ts")).pdfText(bytes, signal);
      case "docx":
        return (await import("./docx.ts")).docxText(bytes);
      case "xlsx":
        return (await import("./xlsx.ts")).xlsxText(bytes);
      case "pptx":
        return (await import("./pptx.ts")).pptxText(bytes);
      case "epub":
        return (await import("./epub.ts")).epubText(bytes);
      case "rtf":
        return (await import("./rtf.ts")).rtfText(bytes);
      case "doc":
      case "xls":
      case "ppt":
        throw new HostError(
          "refused",
          `the old .${kind} form is not read here; save it as .${kind}x`,
        );
    }
  },
};
