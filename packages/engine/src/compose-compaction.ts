/** Compaction, put together; what does the work is loaded when the first one is due. */

import type { Timeouts } from "@omp/ai";
import type { Model, ToolSchema } from "@omp/ai/schema";
import { artifactFolder, type SessionLog } from "@omp/session";
import { lazy, replaceFile, type Clock, type Random } from "@omp/std";
import fs from "node:fs";
import { join } from "node:path";
import { compactionCommands } from "./compaction/commands.ts";
import { CompactionDoor } from "./compaction/door.ts";
import { createHeldPrompts, type HeldPromptsDeps } from "./compaction/held-prompts.ts";
import { watchIdle } from "./compaction/idle.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { lazyHandlers, type EventHub } from "./engine.ts";
import type { AskModel } from "./ledger/door.ts";
import type { Requester } from "./model/request.ts";
import type { SmallModelsDeps } from "./model/small-models.ts";
import type { CompactionCommands } from "./protocol/commands/compaction.ts";
import type { Engine, SessionHooks } from "./protocol/index.ts";
import type { CompactionSettings } from "./settings/schema/compaction.ts";

export interface CompactionParts<Hosts> extends SmallModelsDeps {
  readonly settings: CompactionSettings;
  readonly hub: EventHub;
  readonly hooks: readonly SessionHooks[];
  readonly clock: Clock;
  readonly random: Random;
  readonly ask: AskModel;
  /** These are made after it. */
  conversation(): Conversation<Hosts>;
  engine(): Engine;
  readonly expand: HeldPromptsDeps["expand"];
  readonly request: {
    tools(): readonly ToolSchema[];
    systemPrompt(): string | readonly string[];
    timeoutsFor(model: Model): Partial<Timeouts> | undefined;
  };
  readonly stream: Requester;
}

export function composeCompaction<Hosts>(parts: CompactionParts<Hosts>) {
  const { settings, hub, clock, active, expand, conversation } = parts;
  const contextWindow = () => active.current.model.contextWindow;
  const door = new CompactionDoor({
    settings,
    contextWindow,
    messages: () => conversation().messages,
    publish: (event) => hub.publish(event),
    load: lazy(() => loadWork(parts)),
  });
  const endIdle = watchIdle({
    settings,
    hub,
    clock,
    door,
    isRunning: () => conversation().isRunning,
  });
  let prompt: ReturnType<typeof createHeldPrompts> | undefined;
  return {
    door,
    prompt(command: Parameters<ReturnType<typeof createHeldPrompts>>[0]) {
      prompt ??= createHeldPrompts({ door, expand, conversation: conversation() });
      return prompt(command);
    },
    handlers: lazyHandlers<CompactionCommands>(compactionCommands, async () => {
      const { createCompactionHandlers } = await import("./compaction/handlers.ts");
      return createCompactionHandlers({
        door,
        conversation: conversation(),
        contextWindow,
        moved(oldLeafId) {
          const newLeafId = conversation().log.leafId;
          hub.publish({ type: "session_tree", newLeafId, oldLeafId });
        },
      });
    }),
    async close() {
      endIdle();
      await door.abort();
    },
  };
}

async function loadWork<Hosts>(parts: CompactionParts<Hosts>) {
  const { settings, hub, request, conversation, engine } = parts;
  const [{ createWork }, { createRemote }, { textTokens }] = await Promise.all([
    import("./compaction/work.ts"),
    import("./compaction/remote.ts"),
    import("./compaction/tokens.ts"),
  ]);
  return createWork({
    ...parts,
    conversation: conversation(),
    reserveTokens: settings.reserveTokens,
    timeoutsFor: request.timeoutsFor,
    remote: createRemote({ ...parts, fetch, systemPrompt: request.systemPrompt }),
    overhead: () =>
      textTokens(JSON.stringify(request.tools()) + [request.systemPrompt()].flat().join("")),
    publish: (event) => hub.publish(event),
    async newSession(parentSession) {
      return !(await engine().dispatch({ type: "new_session", parentSession })).cancelled;
    },
    ...(settings.handoffSaveToDisk && { keep: keepDocument }),
  });
}

async function keepDocument({ path }: SessionLog, document: string): Promise<void> {
  if (path === undefined) return;
  const folder = artifactFolder(path);
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(join(folder, "handoff.md"), `${document}\n`, { mode: 0o600 });
}
