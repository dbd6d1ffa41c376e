/** Who answers which command. What few runs need is loaded with its first command. */

import type { Hosts } from "@omp/tools";
import type { SlashDoor } from "./commands/door.ts";
import type { CompactionRooms } from "./compose-compaction.ts";
import type { Ground } from "./compose-ground.ts";
import { houseNames } from "./compose-tools.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { createRunHandlers } from "./conversation/handlers.ts";
import type { OfferedTools } from "./conversation/offered-tools.ts";
import { lazyHandlers, type EventHub } from "./engine.ts";
import { exportCommands } from "./export/commands.ts";
import type { HostsDoor } from "./hosts-door.ts";
import type { AskModel } from "./ledger/door.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { modelCommands } from "./model/commands.ts";
import type { RequesterParts } from "./model/request.ts";
import type { ResolveDeps } from "./model/resolve.ts";
import type { Handlers, HandlersOf } from "./protocol/command.ts";
import type { ExportCommands } from "./protocol/commands/export.ts";
import type { ModelCommands } from "./protocol/commands/model.ts";
import type { SessionCommands } from "./protocol/commands/session.ts";
import type { Snapshot } from "./protocol/snapshot.ts";
import { sessionCommands } from "./sessions/commands.ts";
import type { Workplace } from "./sessions/workplace.ts";
import { branchSummaryArea } from "./settings/schema/branch-summary.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";

export interface HandlersParts {
  readonly ground: Ground;
  readonly hub: EventHub;
  readonly workplace: Workplace;
  readonly conversation: Conversation<Hosts>;
  readonly compaction: CompactionRooms;
  readonly slash: SlashDoor;
  readonly tools: OfferedTools<Hosts>;
  readonly hosts: HostsDoor;
  readonly resolving: ResolveDeps;
  readonly ledger: Ledger;
  readonly ask: AskModel;
  readonly timeoutsFor: RequesterParts["timeoutsFor"];
  /** The engine goes down. */
  readonly closing: AbortSignal;
  /** Keeps the settings true; undefined where there is nothing to wait for. */
  settingsOfNow(): Promise<void> | undefined;
  snapshot(): Snapshot;
}

export function composeHandlers(parts: HandlersParts): Partial<Handlers> {
  const { ground, conversation, compaction, slash, tools, ledger, settingsOfNow } = parts;
  const hold = compaction.hold();
  return {
    ...createRunHandlers(conversation, (said) => slash.refuseExtension(said)),
    ...modelHandlers(parts),
    ...sessionHandlers(parts),
    ...exportHandlers(parts),
    ...compaction.handlers,
    async set_host_tools(command) {
      const { hostTools } = await import("./conversation/host-tools.ts");
      tools.offer("host", hostTools(command.tools, houseNames, ground.options.hostTools));
      return tools.namesOf("host");
    },
    prompt: (command) => settingsOfNow()?.then(() => hold(command)) ?? hold(command),
    list_slash_commands: () => slash.list(),
    usage_report: () => Promise.resolve(ledger.report()),
    async abort() {
      await Promise.all([slash.abort(), compaction.door.abort(), conversation.abort()]);
    },
  };
}

function modelHandlers(parts: HandlersParts): HandlersOf<ModelCommands> {
  const { options, modelSettings, paths, active } = parts.ground;
  const { resolving, workplace, conversation } = parts;
  return lazyHandlers(modelCommands, async () =>
    (await import("./model/handlers.ts")).createModelHandlers({
      ...resolving,
      active,
      scope: () =>
        options.model?.models ?? valuesIn(workplace.cwd, modelSettings.enabledModels, paths.home),
      noteModel: () => conversation.noteModel(),
    }),
  );
}

function sessionHandlers(parts: HandlersParts): HandlersOf<SessionCommands> {
  const { options, folders, terminal, doors, active, settings } = parts.ground;
  const { conversation, workplace, hub, closing, resolving, timeoutsFor, ask } = parts;
  return lazyHandlers(sessionCommands, async () =>
    (await import("./sessions/open-room.ts")).openSessionRoom({
      conversation,
      workplace,
      hub,
      folders,
      terminal,
      ui: options.ui,
      hooks: options.hooks ?? [],
      doors,
      closing,
      model: { ...resolving, active },
      branchSummary: settings.values(branchSummaryArea),
      timeoutsFor,
      ask,
    }),
  );
}

function exportHandlers(parts: HandlersParts): HandlersOf<ExportCommands> {
  const { options, paths, environment, doors, models } = parts.ground;
  const { conversation, workplace, closing, snapshot, hosts } = parts;
  return lazyHandlers(exportCommands, async () => {
    const { openExportRoom } = await import("./export/open-room.ts");
    return openExportRoom({
      conversation,
      workplace,
      paths,
      environment,
      files: (await hosts.composed()).hosts.files,
      processes: await hosts.processes(),
      ui: options.ui,
      doors,
      closing,
      wishes: options,
      snapshot,
      isSecretName: models.vault.isSecretName,
    });
  });
}
