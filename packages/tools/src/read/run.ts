/** Runs a read: finds what the path means, then shows it as what it is. */

import { ToolFailure, type ToolCall, type ToolOutput, type ToolRun } from "@omp/agent";
import { orFailure } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import type { ReadDetails } from "./details.ts";
import { readDirectory } from "./directory.ts";
import { locateElsewhere } from "./elsewhere.ts";
import { notInside, plain, showFile } from "./file.ts";
import { locate } from "./locate.ts";
import type { PageStyle } from "./page.ts";
import { resourceAt, resourceTarget, resourceText, wholeStyle } from "./resource.ts";
import type { Target } from "./target.ts";
import { readWeb } from "./web.ts";
import { webAddress } from "./web-address.ts";

export type ReadNeeds =
  | "files"
  | "resources"
  | "snapshots"
  | "editing"
  | "sources"
  | "pictures"
  | "reading"
  | "conflicts"
  | "artifacts"
  | "scans";
type ReadHosts = Pick<Hosts, ReadNeeds>;
type Output = Promise<ToolOutput<ReadDetails>>;

export const run: ToolRun<{ path: string }, ReadHosts> = async ({ path }, call, hosts) => {
  const { files, resources, reading } = hosts;
  const style = { ...reading, isNumbered: reading.lineNumbers };
  const address = webAddress(path);
  if (address) return readWeb(address, hosts, plain(style), call.signal);
  if (resources.isInternal(path)) {
    const found = await resourceAt(path, resources, call.signal);
    const behind = found.resource.path;
    if (behind === undefined) return resourceText(found, style);
    return show(await resourceTarget(found, behind, files), call, hosts, style);
  }
  const found = await orFailure(locate(path, call.cwd, files));
  if (found) return show(found, call, hosts, style);
  const targets = await locateElsewhere(path, call, hosts);
  const outputs: ToolOutput<ReadDetails>[] = [];
  for (const target of targets) outputs.push(await show(target, call, hosts, style));
  return joined(targets, outputs);
};

async function show(target: Target, call: ToolCall, hosts: ReadHosts, style: PageStyle): Output {
  switch (target.stat.kind) {
    case "directory":
      if (target.inner !== undefined) throw notInside(target);
      return orFailure(readDirectory(target, hosts.files));
    case "file":
      return showFile(target, call, hosts, wholeStyle(style, target));
    case "other":
      throw new ToolFailure(`'${target.given}' is neither a file nor a directory.`);
  }
}

function joined(
  targets: readonly Target[],
  outputs: readonly ToolOutput<ReadDetails>[],
): ToolOutput {
  const [first] = outputs;
  if (outputs.length === 1) {
    const notice = targets[0]?.notice;
    const content = first!.content;
    return notice === undefined
      ? first!
      : { ...first, content: [{ type: "text", text: notice }, ...content] };
  }
  const content = outputs.flatMap((output) => output.content);
  const parts = outputs.map(({ details }) => details);
  return { content, details: { kind: "file", parts, meta: first?.details?.meta } };
}
