/** The rooms of commands that few runs need: each is loaded with its first command. */

import type { Talk } from "./compose-conversation.ts";
import type { Ground } from "./compose-ground.ts";
import type { Requests } from "./compose-requests.ts";
import { lazyHandlers, type EventHub } from "./engine.ts";
import { exportCommands } from "./export/commands.ts";
import type { HostsDoor } from "./hosts-door.ts";
import { modelCommands } from "./model/commands.ts";
import type { Snapshot } from "./protocol/snapshot.ts";
import { sessionCommands } from "./sessions/commands.ts";
import type { Workplace } from "./sessions/workplace.ts";
import { branchSummaryArea } from "./settings/schema/branch-summary.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";

export interface RoomsParts {
  readonly ground: Ground;
  readonly hub: EventHub;
  readonly workplace: Workplace;
  readonly talk: Talk;
  readonly hosts: HostsDoor;
  readonly requests: Requests;
  /** The engine goes down. */
  readonly closing: AbortSignal;
  snapshot(): Snapshot;
}

export function composeRooms(parts: RoomsParts) {
  return {
    ...lazyHandlers(modelCommands, () => modelRoom(parts)),
    ...lazyHandlers(sessionCommands, () => sessionRoom(parts)),
    ...lazyHandlers(exportCommands, () => exportRoom(parts)),
  };
}

async function modelRoom({ ground, workplace, talk }: RoomsParts) {
  const { options, modelSettings, paths, active, resolving } = ground;
  const { createModelHandlers } = await import("./model/handlers.ts");
  return createModelHandlers({
    ...resolving,
    active,
    scope: () =>
      options.model?.models ?? valuesIn(workplace.cwd, modelSettings.enabledModels, paths.home),
    noteModel: () => talk.conversation.noteModel(),
  });
}

async function sessionRoom({ ground, hub, workplace, talk, requests, closing }: RoomsParts) {
  const { options, folders, terminal, doors, active, settings, resolving, ui } = ground;
  const { openSessionRoom } = await import("./sessions/open-room.ts");
  return openSessionRoom({
    conversation: talk.conversation,
    workplace,
    hub,
    folders,
    terminal,
    ui,
    hooks: options.hooks ?? [],
    doors,
    closing,
    model: { ...resolving, active },
    branchSummary: settings.values(branchSummaryArea),
    timeoutsFor: requests.request.timeoutsFor,
    ask: requests.ask,
  });
}

async function exportRoom({ ground, workplace, talk, hosts, closing, snapshot }: RoomsParts) {
  const { options, paths, environment, doors, models, ui } = ground;
  const { openExportRoom } = await import("./export/open-room.ts");
  return openExportRoom({
    conversation: talk.conversation,
    workplace,
    paths,
    environment,
    files: (await hosts.composed()).hosts.files,
    processes: await hosts.processes(),
    ui,
    doors,
    closing,
    wishes: options,
    snapshot,
    isSecretName: models.vault.isSecretName,
  });
}
