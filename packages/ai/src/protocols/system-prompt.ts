/** The system prompt as blocks, or as one text where the wire has room for one. */

import type { ModelRequest } from "../schema/model.ts";

type Prompted = Pick<ModelRequest, "systemPrompt">;

/** Without empty ones, which some vendors refuse. */
export function systemBlocks({ systemPrompt }: Prompted): readonly string[] {
  const blocks = typeof systemPrompt === "string" ? [systemPrompt] : systemPrompt;
  return blocks.filter((block) => block !== "");
}

export function systemText(request: Prompted): string {
  return systemBlocks(request).join("\n\n");
}
