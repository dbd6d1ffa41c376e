/** The proxy that our environment names for a host. The run time knows only that of the process, not that of files. */

import type { FetchLike } from "./http.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a machine asks itself who it is: no proxy can answer that. */
const METADATA: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "[fd00:ec2::254]",
  "[fd00:ec2::23]",
]);

/** The network by way of the proxy; undefined where none is named. */
export function proxied(fetch: FetchLike, environment: Environment): FetchLike | undefined {
  if (!["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].some((name) => variable(environment, name))) {
    return undefined;
  }
  return (url, init) => {
    const proxy = proxyFor(url, environment);
    return fetch(url, proxy === undefined ? init : { ...init, proxy });
  };
}

/** False is none, whatever the run time would choose; undefined leaves it to it. Pure. */
export function proxyFor(url: string, environment: Environment): string | false | undefined {
  const { protocol, hostname, port } = new URL(url);
  const own = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = variable(environment, own) ?? variable(environment, "ALL_PROXY");
  if (METADATA.has(hostname)) return false;
  if (proxy === undefined) return undefined;
  const excluded = (variable(environment, "NO_PROXY") ?? "").split(/[\s,]+/);
  const number = port || (protocol === "https:" ? "443" : "80");
  if (excluded.some((entry) => isExcluded(entry, hostname, number))) return false;
  if (!proxy.includes("://")) return `http://${proxy}`;
  // Of another kind than ours.
  return /^https?:/i.test(proxy) ? proxy : undefined;
}

/** A name stands for itself and all below it, with or without a dot or a star in front. */
function isExcluded(entry: string, hostname: string, port: string): boolean {
  const [, name = "", only] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (name === "*") return true;
  const domain = name.replace(/^\*?\./, "");
  if (domain === "" || (only !== undefined && only !== port)) return false;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Both spellings are in use; an empty one is none. */
function variable(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toLowerCase()] || undefined;
}
