/** What is inside of archives, without unpacking them to anywhere. */

import { HostError } from "../errors.ts";
import type { Member } from "./member.ts";
import { openSource, type ByteSource } from "./source.ts";
import { tarContent, tarMembers, type Packing } from "./tar.ts";
import { zipContent, zipMembers } from "./zip.ts";

export interface ArchiveListing {
  readonly members: readonly Member[];
  /** There may be more than was looked at. */
  readonly isCut: boolean;
}

export interface ArchiveMemberRequest {
  /** As in a listing. */
  readonly member: string;
  readonly maxBytes: number;
}

/** Every method rejects with a HostError that names the archive. */
export interface Archives {
  list(path: string, signal: AbortSignal): Promise<ArchiveListing>;
  /** Undefined if the archive has no such file. */
  read(
    path: string,
    request: ArchiveMemberRequest,
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined>;
}

export const archives: Archives = {
  list: (path, signal) =>
    opened(path, path, async (source) => {
      const packing = packingOf(path);
      if (packing !== undefined) return tarMembers(source, packing, signal);
      return { members: await zipMembers(source), isCut: false };
    }),
  read: (path, { member: wanted, maxBytes }, signal) =>
    opened(path, `${path}:${wanted}`, async (source) => {
      const packing = packingOf(path);
      if (packing !== undefined) {
        return tarContent(source, packing, { path: wanted, maxBytes }, signal);
      }
      const found = (await zipMembers(source)).find(({ path: name }) => name === wanted);
      return found?.kind === "file" ? zipContent(source, found, maxBytes) : undefined;
    }),
};

/** Undefined for a zip. */
function packingOf(path: string): Packing | undefined {
  if (/\.tar$/i.test(path)) return "none";
  if (/\.(tar\.gz|tgz)$/i.test(path)) return "gzip";
  return /\.(tar\.zst|tzst)$/i.test(path) ? "zstd" : undefined;
}

async function opened<T>(
  path: string,
  name: string,
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  await using source = await openSource(path);
  try {
    return await use(source);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new HostError(error.kind, `${name}: ${error.message}`, { cause: error });
  }
}
