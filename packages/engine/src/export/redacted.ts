/** A session without the secrets in its texts, for eyes that are not the person's own. */

import type { ExportData } from "./data.ts";

/** A copy; pictures are taken over as they are. */
export function redactedData(data: ExportData, redactText: (text: string) => string): ExportData {
  return copyOf(data, redactText) as ExportData;
}

function copyOf(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyOf(item, redactText));
  const isImage = "type" in value && value.type === "image" && "mimeType" in value;
  const fields = Object.entries(value).map(([name, field]) =>
    isImage && name === "data" ? [name, field] : [name, copyOf(field, redactText)],
  );
  return Object.fromEntries(fields);
}
