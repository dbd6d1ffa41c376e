/** The tools by name; what they do stands in their schemas. Sorted, so that their order changes nothing. */

export function toolsSection(names: readonly string[]): string {
  return names.length === 0 ? "" : `Tools: ${names.toSorted().join(", ")}`;
}
