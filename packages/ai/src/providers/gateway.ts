/** A company's own gateway before a provider, as the environment describes it. Pure. */

import type { TlsVariables } from "../auth/gateway-tls.ts";

/** Variables that describe the gateway. */
export interface Gateway {
  /** `1`, `true`, `yes` or `on`: requests go through it. */
  readonly switchEnv: string;
  readonly baseUrlEnv: string;
  /** Holds a key of the gateway's own, which is sent as a bearer. */
  readonly keyEnv: string;
  /** Holds headers, `name: value`, with commas or line ends between them. */
  readonly headersEnv: string;
  readonly tls: TlsVariables;
}

interface Gated {
  readonly gateway?: Gateway;
  readonly baseUrl: string;
  readonly baseUrlEnv?: string;
  readonly keyEnv: readonly string[];
}
type Environment = Readonly<Record<string, string | undefined>>;

/** What the gateway changes about a provider's models. */
export function gatewayFields(
  provider: Gated,
  env: Environment,
): {
  readonly baseUrl?: string;
  readonly keyHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
} {
  const { gateway } = provider;
  if (!gateway) return {};
  const headers = headersIn(env[gateway.headersEnv] ?? "");
  if (!isGatewayOn(gateway, env)) return leadsElsewhere(provider, env) ? { headers } : {};
  const baseUrl = env[gateway.baseUrlEnv];
  return {
    headers,
    ...(baseUrl && { baseUrl }),
    ...(env[gateway.keyEnv] && { keyHeader: "authorization" }),
  };
}

/** The variables that may hold the key, the strongest first. */
export function keyEnvOf({ gateway, keyEnv }: Gated, env: Environment): readonly string[] {
  return gateway && isGatewayOn(gateway, env) ? [gateway.keyEnv, ...keyEnv] : keyEnv;
}

const YES: readonly string[] = ["1", "true", "yes", "on"];

export function isGatewayOn({ switchEnv }: Gateway, env: Environment): boolean {
  const said = env[switchEnv]?.trim().toLowerCase();
  return said !== undefined && YES.includes(said);
}

/** Headers that are meant for a gateway must not reach the vendor. */
function leadsElsewhere({ baseUrl, baseUrlEnv }: Gated, env: Environment): boolean {
  const named = baseUrlEnv && env[baseUrlEnv];
  return Boolean(named) && domainOf(named || baseUrl) !== domainOf(baseUrl);
}

function domainOf(url: string): string {
  return (URL.parse(url)?.hostname ?? url).split(".").slice(-2).join(".");
}

/** A comma ends a value only where another name follows: values may have commas, too. */
function headersIn(text: string): Record<string, string> {
  if (text === "") return {};
  const pairs = text.replaceAll("\\n", "\n").split(/\n|,(?=\s*[\w-]+\s*:(?!\/\/))/);
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const colon = pair.indexOf(":");
      const name = pair.slice(0, Math.max(colon, 0)).trim();
      return name ? [[name, pair.slice(colon + 1).trim()]] : [];
    }),
  );
}
