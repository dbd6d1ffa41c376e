/** What a repository's git configuration would run or redirect, and how our own git children stay clear of it. */

import { readGitConfig, type GitSetting } from "./git-config.ts";

export interface GitRisk extends GitSetting {
  readonly why: string;
}

interface Rule {
  readonly key: RegExp;
  readonly why: string;
  /** Only these values are a risk. */
  readonly when?: (value: string) => boolean;
  /** What our own children are told instead. Absent where nothing we call looks at it. */
  readonly instead?: string;
}

const isCommand = (value: string) => value.trimStart().startsWith("!");
const isWord = (value: string) => !/^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);

const RULES: readonly Rule[] = [
  { key: /^core\.fsmonitor$/, why: "runs on every status", when: isWord, instead: "false" },
  { key: /^core\.hookspath$/, why: "runs hooks from elsewhere", instead: "/dev/null" },
  { key: /^hook\..+\.command$/s, why: "runs a hook", instead: "" },
  { key: /^core\.sshcommand$/, why: "runs on fetch and push", instead: "ssh" },
  { key: /^core\.gitproxy$/, why: "runs on fetch", instead: "" },
  { key: /^core\.(?:pager|editor)$/, why: "runs to show or edit text", instead: "cat" },
  { key: /^pager\./, why: "runs to show text", when: isWord, instead: "false" },
  { key: /^sequence\.editor$/, why: "runs on rebase", instead: "cat" },
  { key: /^core\.(?:askpass|alternaterefscommand)$/, why: "runs a program", instead: "" },
  { key: /^core\.(?:attributesfile|worktree)$/, why: "redirects git to other files" },
  { key: /^diff\.external$/, why: "runs on diff", instead: "" },
  { key: /^diff\..+\.(?:command|textconv)$/s, why: "runs on diff", instead: "" },
  { key: /^interactive\.difffilter$/, why: "runs on add -p", instead: "" },
  { key: /^filter\..+\.(?:clean|smudge|process)$/s, why: "runs on add and checkout", instead: "" },
  { key: /^merge\..+\.driver$/s, why: "runs on merge", instead: "false" },
  { key: /^(?:merge|diff)tool\..+\.(?:cmd|path)$/s, why: "runs a program" },
  { key: /^alias\./, why: "runs as a git command", when: isCommand },
  { key: /^credential\.(?:.+\.)?helper$/s, why: "runs with your credentials", instead: "" },
  { key: /^gpg\.(?:.+\.)?program$/s, why: "runs on signing", instead: "false" },
  { key: /^gpg\.ssh\.defaultkeycommand$/, why: "runs on signing", instead: "" },
  { key: /^remote\..+\.(?:uploadpack|receivepack|vcs)$/s, why: "runs on fetch and push" },
  {
    key: /^(?:remote\..+\.(?:push)?url|submodule\..+\.url)$/s,
    why: "runs on fetch and push",
    when: runsTransport,
  },
  { key: /^submodule\..+\.update$/s, why: "runs on submodule update", when: isCommand },
  { key: /^uploadpack\.packobjectshook$/, why: "runs a program", instead: "" },
  { key: /^trailer\..+\.(?:command|cmd)$/s, why: "runs on commit", instead: "" },
  { key: /^(?:browser|man|web|sendemail|instaweb)\./, why: "runs a program" },
  { key: /^init\.templatedir$/, why: "copies hooks from elsewhere", instead: "" },
  { key: /^url\..+\.(?:push)?insteadof$/s, why: "redirects fetch and push" },
  { key: /^(?:http|remote)\.(?:.+\.)?proxy$/s, why: "redirects fetch and push" },
  { key: /^http\.(?:.+\.)?ssl(?:verify|cainfo|capath|key|cert)$/s, why: "changes whom git trusts" },
  { key: /^http\.(?:.+\.)?(?:extraheader|cookiefile)$/s, why: "adds to requests" },
  {
    key: /^protocol\.(?:.+\.)?allow$/s,
    why: "allows transports that run programs",
    when: (v) => v !== "never",
  },
  { key: /^include(?:if\..+)?\.path$/s, why: "takes settings from another file" },
];

function runsTransport(value: string): boolean {
  return /^[A-Za-z0-9]+::/.test(value) || value.startsWith("-");
}

/** @param root the working tree */
export function gitRisks(root: string): readonly GitRisk[] {
  return readGitConfig(root).flatMap((setting) => {
    const rule = ruleFor(setting);
    return rule ? [{ ...setting, why: rule.why }] : [];
  });
}

function ruleFor({ key, value }: Pick<GitSetting, "key" | "value">): Rule | undefined {
  return RULES.find((rule) => rule.key.test(key) && (rule.when?.(value) ?? true));
}

/** Arguments of `diff`, `log` and `show`: an external program that is only made empty lets git fail. */
export const quietDiff: readonly string[] = ["--no-ext-diff", "--no-textconv"];

/**
 * Variables for a git child of ours that then runs nothing of the repository's choosing. Not `-c`: the name
 * of a driver may have an equals sign, and git would cut the key there.
 */
export function quietGit(root: string): Readonly<Record<string, string>> {
  const settings = new Map([
    ["core.fsmonitor", "false"],
    ["core.hookspath", "/dev/null"],
  ]);
  for (const risk of gitRisks(root)) {
    const instead = ruleFor(risk)?.instead;
    if (instead === undefined) continue;
    settings.set(risk.key, instead);
    const driver = /^filter\..+(?=\.)/s.exec(risk.key)?.[0];
    // A filter that is required and empty would make git fail.
    if (driver !== undefined) settings.set(`${driver}.required`, "false");
  }
  const pairs = [...settings].flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.size) };
}
