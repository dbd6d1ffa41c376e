/** Puts the room of compaction together when the first one is due. */

import type { FetchLike, Timeouts } from "@omp/ai";
import type { Model, ToolSchema } from "@omp/ai/schema";
import { artifactFolder, type SessionLog } from "@omp/session";
import { replaceFile, type Clock, type Random } from "@omp/std";
import fs from "node:fs";
import { join } from "node:path";
import type { AskModel } from "../ledger/door.ts";
import type { Requester } from "../model/request.ts";
import type { SmallModelsDeps } from "../model/small-models.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { SessionHooks } from "../protocol/hooks.ts";
import type { CompactionSettings } from "../settings/schema/compaction.ts";
import type { CompactionWork } from "./door.ts";
import { createRemote } from "./remote.ts";
import { textTokens } from "./tokens.ts";
import { createWork, type WorkRoom } from "./work.ts";

export interface RoomParts extends SmallModelsDeps {
  readonly settings: CompactionSettings;
  readonly hooks: readonly SessionHooks[];
  readonly clock: Clock;
  readonly random: Random;
  readonly ask: AskModel;
  readonly conversation: WorkRoom["conversation"];
  readonly request: RequestFacts;
  readonly stream: Requester;
  readonly fetch: FetchLike;
  readonly newSession: WorkRoom["newSession"];
  publish(event: EngineEvent): void;
}

/** What requests of the conversation have in common. */
export interface RequestFacts {
  tools(): readonly ToolSchema[];
  systemPrompt(): string | readonly string[];
  timeoutsFor(model: Model): Partial<Timeouts> | undefined;
}

export function openCompactionRoom(parts: RoomParts): CompactionWork {
  const { settings, request } = parts;
  return createWork({
    ...parts,
    reserveTokens: settings.reserveTokens,
    timeoutsFor: request.timeoutsFor,
    remote: createRemote({ ...parts, systemPrompt: request.systemPrompt }),
    overhead: () =>
      textTokens(JSON.stringify(request.tools()) + [request.systemPrompt()].flat().join("")),
    ...(settings.handoffSaveToDisk && { keep: keepDocument }),
  });
}

async function keepDocument({ path }: SessionLog, document: string): Promise<void> {
  if (path === undefined) return;
  const folder = artifactFolder(path);
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(join(folder, "handoff.md"), `${document}\n`, { mode: 0o600 });
}
