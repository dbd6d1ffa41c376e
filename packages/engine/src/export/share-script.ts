/** The person's own way to share: `share.ts`, `share.js` or `share.mjs` in the agent's folder. */

import { isRecord } from "@omp/session";
import { messageOf, UserError } from "@omp/std";
import fs from "node:fs";
import { join } from "node:path";
import type { ShareResult } from "../protocol/commands/export.ts";

const NAMES = ["share.ts", "share.js", "share.mjs"] as const;

export type ShareScript = (htmlPath: string) => Promise<ShareResult>;

/**
 * The first that is there; undefined without one.
 * @throws UserError when it cannot be used: then nothing else may be tried, the person chose this way
 */
export async function loadShareScript(agentDir: string): Promise<ShareScript | undefined> {
  const path = NAMES.map((name) => join(agentDir, name)).find((candidate) =>
    fs.existsSync(candidate),
  );
  if (path === undefined) return undefined;
  const share = await defaultOf(path);
  if (typeof share !== "function") {
    throw new UserError("bad-config", `${path} must export a default function that takes a path.`);
  }
  return async (htmlPath) => resultOf(await called(path, () => share(htmlPath)));
}

async function defaultOf(path: string): Promise<unknown> {
  try {
    const module: unknown = await import(path);
    return isRecord(module) ? module["default"] : undefined;
  } catch (error) {
    const reason = messageOf(error);
    throw new UserError("bad-config", `Cannot load ${path}: ${reason}`, { cause: error });
  }
}

async function called(path: string, share: () => unknown): Promise<unknown> {
  try {
    return await share();
  } catch (error) {
    throw new UserError("bad-config", `${path} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** A text is an address; an object may have `url` and `message`; nothing is good enough. */
function resultOf(answer: unknown): ShareResult {
  if (typeof answer === "string" && answer !== "") return { url: answer, message: answer };
  const { url, message } = isRecord(answer) ? answer : {};
  const said = [message, url].filter(
    (part): part is string => typeof part === "string" && part !== "",
  );
  return {
    ...(typeof url === "string" && url !== "" && { url }),
    message: said.length > 0 ? said.join("\n") : "Session shared",
  };
}
