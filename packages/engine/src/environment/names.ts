/** What the name of a variable says about it: whether a repository may set it, whether its value is a secret. */

/** Why a repository must not decide on a name. */
export type NameDanger = "connects" | "executes" | "trusts";

/** Words are the parts between underscores. One is enough: a name too many costs a line in one's own file. */
const WORDS: Readonly<Record<NameDanger, readonly string[]>> = {
  connects: [
    "URL",
    "URI",
    "HOST",
    "HOSTNAME",
    "ENDPOINT",
    "PROXY",
    "SERVER",
    "ADDRESS",
    "DOMAIN",
    "PORT",
    "SOCKET",
    "BROKER",
    "HEADERS",
    // Host names are made of these.
    "REGION",
    "LOCATION",
    "RESOURCE",
    "FOUNDRY",
    "BEDROCK",
    "VERTEX",
  ],
  executes: [
    "CMD",
    "COMMAND",
    "SHELL",
    "PREFIX",
    "EXEC",
    "EXECUTABLE",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "BROWSER",
    "ASKPASS",
    "HOOK",
    "HOOKS",
    "PLUGIN",
    "PLUGINS",
    "EXTENSION",
    "EXTENSIONS",
    "PRELOAD",
    "OPTIONS",
    "OPTS",
    "ARGS",
    "PY",
    "PYTHON",
    "VARIANT",
    "PATH",
    "DIR",
    "FOLDER",
    "FILE",
    "ROOT",
    "LOG",
    "CACHE",
  ],
  trusts: [
    "CA",
    "CERT",
    "CERTS",
    "CERTIFICATE",
    "TLS",
    "SSL",
    "INSECURE",
    "VERIFY",
    "UNAUTHORIZED",
    "CREDENTIAL",
    "CREDENTIALS",
    "PROFILE",
    "ROLE",
    "SKIP",
    "TRUST",
    "APPROVAL",
    "APPROVE",
    "YOLO",
    "SANDBOX",
    "PERMISSION",
    "BLOCKED",
  ],
};

/** Families that belong to the system, to a loader or to another program. */
const FAMILIES: readonly (readonly [RegExp, NameDanger])[] = [
  [/^(?:LD|DYLD|GIT|SSH|BASH|ZSH|NODE|NPM|BUN|PERL\w*|RUBY\w*|JAVA|XDG|LC)_/, "executes"],
  [/^(?:HOME|PWD|OLDPWD|USER|LOGNAME|USERPROFILE|APPDATA|LOCALAPPDATA|COMSPEC)$/, "executes"],
  [/^(?:TMP|TEMP|TMPDIR|ENV|IFS|DISPLAY|PYTHON\w+|PERL5\w+|RUBYOPT|RUBYLIB)$/, "executes"],
  [/CLIENT_KEY$/, "trusts"],
];

/** A key is what a repository's file is for, wherever it is used. */
const KEY = /(?:_API_KEY|_TOKEN|_TOKEN_BEDROCK)$/;

/** Every start looks at every variable: words are found faster than a pattern of all of them is compiled. */
const SECRET_ENDINGS = new Set([
  ...["KEY", "KEYS", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE"],
  ...["COOKIE", "COOKIES", "CREDENTIAL", "CREDENTIALS", "CERT", "AUTH"],
]);
const SECRET_PARTS = ["API_KEY", "APIKEY", "TOKEN_BEDROCK", "SECRET_ACCESS"];

/** Undefined where the file of a trusted repository may set it. */
export function dangerOfName(name: string): NameDanger | undefined {
  const upper = name.toUpperCase();
  const family = FAMILIES.find(([pattern]) => pattern.test(upper));
  if (family) return family[1];
  const words = upper.split("_");
  if (KEY.test(upper) && !words.includes("BROKER")) return undefined;
  const dangers = Object.keys(WORDS) as NameDanger[];
  return dangers.find((danger) => words.some((word) => WORDS[danger].includes(word)));
}

/** A value under such a name reaches no log. */
export function isSecretVariable(name: string): boolean {
  const upper = name.toUpperCase();
  const ending = upper.slice(upper.lastIndexOf("_") + 1);
  return SECRET_ENDINGS.has(ending) || SECRET_PARTS.some((part) => upper.includes(part));
}
