/** The zip that an office document or a book is. */

import { bytesSource } from "../archives/source.ts";
import { zipContent, zipMembers } from "../archives/zip.ts";
import { HostError } from "../errors.ts";
import { elements, parseXml, type Element } from "./xml.ts";

/** Of one part, and of all that is unpacked of a document. */
const MAX_PART_BYTES = 32 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

export interface DocumentPackage {
  readonly names: readonly string[];
  /** Undefined if there is no such part. @throws HostError */
  bytes(name: string): Promise<Uint8Array | undefined>;
  xml(name: string): Promise<Element | undefined>;
}

export async function openPackage(bytes: Uint8Array): Promise<DocumentPackage> {
  const source = bytesSource(bytes);
  const members = await zipMembers(source);
  let total = 0;
  const open = async (name: string): Promise<Uint8Array | undefined> => {
    const member = members.find(({ path }) => path === name);
    if (!member) return undefined;
    total += member.size;
    if (total > MAX_TOTAL_BYTES) throw new HostError("too-large", "it unpacks to too much");
    return zipContent(source, member, MAX_PART_BYTES);
  };
  return {
    names: members.map(({ path }) => path),
    bytes: open,
    async xml(name) {
      const part = await open(name);
      return part && parseXml(part);
    },
  };
}

/** Where the parts are that a part names by id: `word/_rels/document.xml.rels`. */
export async function relations(
  parts: DocumentPackage,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const [, folder = "", file = name] = /^(.*\/)?([^/]+)$/.exec(name) ?? [];
  const listed = await parts.xml(`${folder}_rels/${file}.rels`);
  const pairs = (listed ? elements(listed, "Relationship") : []).map(
    ({ attributes }): [string, string] => {
      const target = attributes["Target"] ?? "";
      return [
        attributes["Id"] ?? "",
        target.startsWith("/") ? target.slice(1) : joined(folder, target),
      ];
    },
  );
  return new Map(pairs);
}

function joined(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${target}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
