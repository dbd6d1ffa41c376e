/** `omp trust`: what is trusted here, as text or as one JSON document. */

import { openTrust, type FolderReport, type TrustDesk } from "@omp/engine/boot";
import { nearest, sanitize, UserError } from "@omp/std";
import { resolve } from "node:path";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";
import { version } from "../version.ts";
import { allText, folderText } from "./words.ts";

/** What is printed, in both forms, and what to tell besides. */
interface Report {
  readonly text: string;
  readonly json: unknown;
  readonly notes?: readonly string[];
}

export const runTrust: CommandRun = async ({ messages, options }, surroundings) => {
  const { cwd, startedIn, home, environment } = surroundings;
  const [verb = "list", word] = messages;
  const place = word === undefined ? cwd : resolve(startedIn, word);
  const warn = (text: string) => note(`warning: ${text}`);
  const desk = await openTrust({ home, environment, version, warn });
  const isGiven = (name: string) => options[name] !== undefined;
  const { text, json, notes = [] } = await reportOf(verb, desk, place, isGiven);
  for (const line of notes) note(line);
  const output = createOutput(() => {});
  const shown = isGiven("json") ? `${JSON.stringify(json, null, 2)}\n` : text;
  output.write((await streamKind(STDOUT)) === "terminal" ? sanitize(shown) : shown);
  await output.flush();
  return 0;
};

async function reportOf(
  verb: string,
  desk: TrustDesk,
  place: string,
  isGiven: (name: string) => boolean,
): Promise<Report> {
  switch (verb) {
    case "list": {
      const all = desk.all();
      if (isGiven("all")) return { text: allText(all), json: all };
      return folderReport(await desk.look(place));
    }
    case "allow":
      return allowed(await desk.allow(place, isGiven("items")), isGiven("items"));
    case "revoke": {
      const revoked = await desk.revoke(place);
      const gone = [...revoked.folders, ...revoked.items.map(({ path }) => path)];
      return { text: "", json: revoked, notes: gone.map((path) => `Revoked: ${path}`) };
    }
    default:
      throw new UserError("misuse", wrongVerb(verb));
  }
}

function allowed(report: FolderReport, withItems: boolean): Report {
  const open = report.items.filter(({ state }) => state !== "trusted").length;
  const rest = `${open} of what the project wants to run is not allowed: --items allows it.`;
  return {
    text: "",
    json: jsonOf(report),
    notes: [
      `Trusted: ${report.folder} and the folders in it. omp runs commands there without asking.`,
      ...(withItems ? [] : open > 0 ? [rest] : []),
    ],
  };
}

function folderReport(report: FolderReport): Report {
  return { text: folderText(report), json: jsonOf(report) };
}

function jsonOf({ folder, decision, items }: FolderReport) {
  return { folder, isTrusted: decision?.isTrusted ?? false, decision: decision ?? null, items };
}

function wrongVerb(verb: string): string {
  const guess = nearest(verb, ["list", "allow", "revoke"]);
  return `omp trust does not know "${verb}".${guess === undefined ? "" : ` Did you mean ${guess}?`}`;
}
