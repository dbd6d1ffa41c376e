/** `/tree`: the session's points as text, and the way to one of them. */

import type { TreeNode } from "@omp/session";
import { splitArguments } from "../arguments.ts";
import { done, type CommandPort, type SlashCommand } from "../slash-command.ts";

export const tree: SlashCommand = {
  name: "tree",
  description: "Go to another point of this session; alone, show all of them",
  argumentHint: "[entry] [--summarize [instructions]]",
  async run(args, port) {
    const [entryId, ...rest] = splitArguments(args);
    if (entryId === undefined) return done(await treeText(port));
    const summarizes = rest[0] === "--summarize";
    const instructions = rest.slice(1).join(" ");
    const moved = await port.dispatch({
      type: "move_leaf",
      entryId,
      ...(summarizes && { summarizes }),
      ...(summarizes && instructions !== "" && { instructions }),
    });
    if (moved.isHere) return done("Already at this point");
    if (moved.cancelled) return done("Navigation cancelled");
    const said = moved.editorText === undefined ? "" : `\n${moved.editorText}`;
    return done(`Navigated to selected point${said}`);
  },
};

async function treeText({ dispatch }: CommandPort): Promise<string> {
  const { roots, leafId } = await dispatch({ type: "session_tree" });
  const lines: string[] = [];
  // A stack of its own: a session is deeper than the one of calls.
  const open = roots.map((node) => ({ node, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    lines.push(...line(node, depth, leafId));
    const isFork = node.children.length > 1;
    for (const child of node.children.toReversed()) {
      open.push({ node: child, depth: depth + (isFork ? 1 : 0) });
    }
  }
  return lines.length === 0 ? "The session is empty." : lines.join("\n");
}

const MAX_TEXT = 80;

/** What is no message has a line only where somebody named it, or is there. */
function line({ entry, label }: TreeNode, depth: number, leafId: string | null): string[] {
  const text = contentOf(entry);
  const isLeaf = entry.id === leafId;
  if (text === undefined && label === undefined && !isLeaf) return [];
  const mark = isLeaf ? "* " : "  ";
  const name = label === undefined ? "" : ` [${label}]`;
  return [`${"  ".repeat(depth)}${mark}${entry.id}${name}  ${text ?? entry.type}`];
}

function contentOf(entry: TreeNode["entry"]): string | undefined {
  const { message, summary, content, type } = entry as Readonly<Record<string, unknown>>;
  if (type === "message") {
    const { role, content: said } = message as { role: string; content?: unknown };
    const text = textOf(said);
    return role === "toolResult" || text === "" ? undefined : `${role}: ${shortened(text)}`;
  }
  if (type === "custom_message") return `custom: ${shortened(textOf(content))}`;
  return typeof summary === "string" ? `${String(type)}: ${shortened(summary)}` : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const blocks = content as readonly { type?: unknown; text?: unknown }[];
  return blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 3)}...` : line;
}
