/** The shared AWS files, `~/.aws/config` and `~/.aws/credentials`, as sections of values. */

import type { AwsPorts } from "./aws-ports.ts";

export type AwsSection = Readonly<Partial<Record<string, string>>>;

export interface AwsFiles {
  readonly profiles: ReadonlyMap<string, AwsSection>;
  readonly sessions: ReadonlyMap<string, AwsSection>;
}

export async function readAwsFiles({
  environment,
  readFile,
}: Pick<AwsPorts, "environment" | "readFile">): Promise<AwsFiles> {
  const folder = `${environment["HOME"] || environment["USERPROFILE"] || ""}/.aws`;
  const [config, credentials] = await Promise.all([
    readFile(environment["AWS_CONFIG_FILE"] || `${folder}/config`),
    readFile(environment["AWS_SHARED_CREDENTIALS_FILE"] || `${folder}/credentials`),
  ]);
  return awsFilesOf(config ?? "", credentials ?? "");
}

/** What both files say of a profile is one profile; the credentials file wins. */
function awsFilesOf(config: string, credentials: string): AwsFiles {
  const profiles = new Map<string, AwsSection>();
  const sessions = new Map<string, AwsSection>();
  for (const [title, section] of sectionsOf(config)) {
    const [kind = "", name = ""] = title.split(/\s+/, 2);
    if (kind === "default") profiles.set("default", section);
    if (kind === "profile" && name) profiles.set(unquoted(name), section);
    if (kind === "sso-session" && name) sessions.set(unquoted(name), section);
  }
  for (const [name, section] of sectionsOf(credentials)) {
    profiles.set(name, { ...profiles.get(name), ...section });
  }
  return { profiles, sessions };
}

function* sectionsOf(text: string): Generator<[title: string, section: AwsSection]> {
  let title: string | undefined;
  let section: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\[(.*)\]\s*([#;].*)?$/.exec(line.trim())?.[1];
    if (heading !== undefined) {
      if (title !== undefined) yield [title, section];
      title = heading.trim();
      section = {};
      continue;
    }
    // Indented lines are values inside a value; lines with a mark are comments.
    const [, name = "", value = ""] = /^([^\s#;=][^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name) section[name] = value.replace(/\s[#;].*$/, "").trim();
  }
  if (title !== undefined) yield [title, section];
}

function unquoted(name: string): string {
  return name.replace(/^(["'])(.*)\1$/, "$2");
}
