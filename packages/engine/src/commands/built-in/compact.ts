/** `/compact`, `/uncompact` and `/handoff`: the conversation shorter, as it was, or in a new session. */

import type { CompactionReport } from "../../protocol/commands/compaction.ts";
import { done, type SlashCommand } from "../slash-command.ts";

const OUTLINE = "--outline";
const REPORT = "--report";

export const compact: SlashCommand = {
  name: "compact",
  description:
    "Replace the old part of the conversation by a summary, or tell about the latest one",
  argumentHint: `[${OUTLINE}] [focus] | ${REPORT}`,
  async run(args, { dispatch }) {
    const given = args.trim();
    if (given === REPORT) {
      const report = await dispatch({ type: "compaction_report" });
      return done(report ? reportText(report) : "This conversation was never compacted.");
    }
    const isOutline = given === OUTLINE || given.startsWith(`${OUTLINE} `);
    const instructions = isOutline ? given.slice(OUTLINE.length).trim() : given;
    const result = await dispatch({
      type: "compact",
      ...(instructions !== "" && { instructions }),
      ...(isOutline && { strategy: "outline" as const }),
    });
    return done(result.cancelled ? "Compaction cancelled" : reportText(result.report));
  },
};

export const uncompact: SlashCommand = {
  name: "uncompact",
  description: "Go back to before the latest compaction",
  async run(_args, { dispatch }) {
    const { entryId } = await dispatch({ type: "revert_compaction" });
    return done(`Back to before the compaction ${entryId}; it stays in /tree.`);
  },
};

export const handoff: SlashCommand = {
  name: "handoff",
  description: "Go on in a new session with a document about this one",
  argumentHint: "[focus]",
  async run(args, { dispatch }) {
    const instructions = args.trim();
    const wish = instructions === "" ? {} : { instructions };
    const { cancelled } = await dispatch({ type: "handoff", ...wish });
    return done(cancelled ? "Handoff cancelled" : "Handed off to a new session");
  },
};

function reportText(report: CompactionReport): string {
  const { way, model, because, tokensBefore, tokensAfter } = report;
  const parts = (["kept", "summarized", "dropped", "pinned"] as const).map((name) => {
    const { entries, tokens } = report[name];
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}:`;
    return `${label.padEnd(12)} ${entries.length} entries, ${tokens} tokens`;
  });
  const maker = model === undefined ? way : `${way} (${model})`;
  return [
    `Compacted from ${tokensBefore} to about ${tokensAfter} tokens by ${maker}`,
    ...(because === undefined ? [] : [`No model could summarize: ${because}`]),
    ...parts,
    "Nothing is lost: history://<entry> shows an entry, /uncompact goes back.",
  ].join("\n");
}
