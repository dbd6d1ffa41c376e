/** Parts of the engine by themselves: no conversation, and no session of our own. */

import type { ExportFileOptions } from "./export/file.ts";
import type { ContextReport, OpenContextOptions } from "./open-context.ts";
import { withEnvironment } from "./open-environment.ts";
import type { OpenModels, OpenModelsOptions } from "./open-models.ts";
import type { OpenSessionsOptions, Sessions } from "./open-sessions.ts";
import type { SettingsEditorOptions } from "./open-settings.ts";
import type { SettingsEditor } from "./settings/editor.ts";
import type { OpenTrustOptions, TrustDesk } from "./trust/open-trust.ts";

/** The settings alone, to look at and to change. */
export async function openSettingsEditor(options: SettingsEditorOptions): Promise<SettingsEditor> {
  return (await import("./open-settings.ts")).openSettingsEditor(options);
}

/** The JSON Schema of config.yml. */
export async function configSchema(): Promise<object> {
  const { allAreas } = await import("./settings/all-areas.ts");
  return (await import("./settings/json-schema.ts")).configSchema(allAreas);
}

/** The models alone: no session, no tools, no conversation. */
export async function openModels(options: OpenModelsOptions): Promise<OpenModels> {
  return (await import("./open-models.ts")).openModels(await withEnvironment(options));
}

/**
 * A session file as a page, without a session of our own.
 * @returns the path of the page
 */
export async function exportSession(options: ExportFileOptions): Promise<string> {
  return (await import("./export/file.ts")).exportSessionFile(options);
}

/** Trust alone. */
export async function openTrust(options: OpenTrustOptions): Promise<TrustDesk> {
  return (await import("./trust/open-trust.ts")).openTrust(options);
}

/** What a session in this folder would know before the first word. */
export async function openContext(options: OpenContextOptions): Promise<ContextReport> {
  return (await import("./open-context.ts")).openContext(options);
}

/** The stored sessions alone. */
export async function openSessions(options: OpenSessionsOptions): Promise<Sessions> {
  return (await import("./open-sessions.ts")).openSessions(options);
}
