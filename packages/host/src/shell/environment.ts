/** The environment of commands: ours, without what must stay here, and with answers to every question. */

/** Nobody sits at the keyboard of a command: pagers print, editors accept, prompts fail. */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GH_PAGER: "cat",
  AWS_PAGER: "cat",
  PSQL_PAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS: "/usr/bin/false",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  npm_config_yes: "true",
  COMPOSER_NO_INTERACTION: "1",
};

export interface ChildEnvironmentOptions {
  /** Names that children must not see, such as keys of model providers. */
  withhold(name: string): boolean;
}

export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { withhold }: ChildEnvironmentOptions,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !withhold(name)) environment[name] = value;
  }
  Object.assign(environment, UNATTENDED);
  const isCiUnwanted = base["PI_BASH_NO_CI"] || base["CLAUDE_BASH_NO_CI"];
  if (!isCiUnwanted) environment["CI"] = "true";
  return environment;
}
