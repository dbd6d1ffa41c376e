/** Gives a session to others: asked first, without secrets, by the person's own script or as a secret gist. */

import type { UiPort } from "@omp/agent";
import { ignore, uuidV7, type Clock, type Random } from "@omp/std";
import fs from "node:fs";
import { join } from "node:path";
import type { ShareResult } from "../protocol/commands/export.ts";
import type { ExportData } from "./data.ts";
import { cancelled, createGist, type GistDeps } from "./gist.ts";
import { htmlParts, loadTemplate } from "./html.ts";
import type { Opener } from "./opener.ts";
import { redactedData } from "./redacted.ts";
import { loadShareScript } from "./share-script.ts";
import type { ExportTheme } from "./theme.ts";
import { writeExport } from "./write.ts";

export interface ShareDeps extends Omit<GistDeps, "tell"> {
  readonly agentDir: string;
  readonly tempDir: string;
  readonly ui: UiPort;
  readonly opener: Opener | undefined;
  readonly clock: Clock;
  readonly random: Random;
  redactText(text: string): string;
  theme(): ExportTheme | undefined;
}

const WARNING =
  "All of it leaves this machine: prompts, answers, file contents, command output and the system prompt. " +
  "Known secrets are taken out, but look it over first.";

/** Whoever has the address can read what is there. */
export async function shareSession(
  data: ExportData,
  deps: ShareDeps,
  signal: AbortSignal,
): Promise<ShareResult> {
  if (!(await isWanted(deps.ui, signal))) return cancelled(undefined);
  const { clock, random, tempDir } = deps;
  const page = join(tempDir, `${uuidV7(clock, random)}.html`);
  const clean = redactedData(data, deps.redactText);
  try {
    await writeExport(page, htmlParts(await loadTemplate(), clean, deps.theme()));
    const result = await send(page, deps, signal);
    if (!signal.aborted) openResult(result, deps.opener);
    return result;
  } finally {
    // At once: the program may be about to end.
    fs.rmSync(page, { force: true });
  }
}

/** Without a person to ask, the call itself is the word that it is wanted. */
async function isWanted(ui: UiPort, signal: AbortSignal): Promise<boolean> {
  if (ui.absentBecause !== undefined) {
    ui.tell({ level: "warning", text: `Sharing the session. ${WARNING}` });
    return !signal.aborted;
  }
  const title = "Share this session?";
  const reply = await ui.request({ kind: "confirm", title, message: WARNING }, signal);
  return !signal.aborted && reply?.kind === "confirm" && reply.accepted;
}

async function send(page: string, deps: ShareDeps, signal: AbortSignal): Promise<ShareResult> {
  const tell = (text: string) => deps.ui.tell({ level: "info", text });
  const script = await loadShareScript(deps.agentDir);
  if (!script) return createGist(page, { ...deps, tell }, signal);
  tell("Sharing...");
  return untilAborted(script(page), signal);
}

/** A script cannot be stopped; it can only be waited for no longer. */
async function untilAborted(work: Promise<ShareResult>, signal: AbortSignal): Promise<ShareResult> {
  const aborted = Promise.withResolvers<ShareResult>();
  const onAbort = () => aborted.resolve(cancelled(undefined));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  work.catch((error) => ignore(error, "heard below unless the share was cancelled"));
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function openResult({ url, previewUrl }: ShareResult, opener: Opener | undefined): void {
  const target = previewUrl ?? url;
  // The address comes from a program: only what a browser should show is handed on.
  if (target !== undefined && /^https?:\/\//.test(target)) opener?.open(target);
}
