/** `/export`: the session as a page, or by the ending of the path as Markdown or JSON. */

import { UserError } from "@omp/std";
import { splitArguments } from "../arguments.ts";
import { done, type SlashCommand } from "../slash-command.ts";

const COPYING = ["--copy", "copy", "clipboard"];

export const exportSession: SlashCommand = {
  name: "export",
  description: "Write the session to a file: HTML, or Markdown and JSON by the ending",
  argumentHint: "[path]",
  async run(args, { dispatch }) {
    const path = splitArguments(args)[0];
    if (path !== undefined && COPYING.includes(path)) {
      throw new UserError("bad-input", "/export writes a file. Use /dump for the session as text.");
    }
    const place = path === undefined ? {} : { path };
    const written = await dispatch({ type: kindOf(path), ...place });
    return done(`Exported to: ${written.path}`);
  },
};

function kindOf(path: string | undefined): "export_html" | "export_markdown" | "export_json" {
  if (path?.endsWith(".md")) return "export_markdown";
  return path?.endsWith(".json") ? "export_json" : "export_html";
}
