/** Where a request may go: the address behind a name is looked up once, judged, and then kept to. */

import { messageOf } from "@omp/std";
import { isIP } from "node:net";
import { HostError } from "../errors.ts";
import { isPublicAddress } from "./address.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface Target {
  /** As it was asked for. */
  readonly url: URL;
  /** Where to connect to, in the order to try. */
  readonly addresses: readonly string[];
}

export interface TargetRules {
  readonly resolve: Resolve;
  /** Names and addresses (`localhost`, `10.0.0.7:8080`) that may be asked although they are private; `*` is all. */
  readonly privateHosts: readonly string[];
}

/** @throws HostError "refused" or "network"; the signal's reason */
export async function targetOf(
  url: URL,
  { resolve, privateHosts }: TargetRules,
  signal: AbortSignal,
): Promise<Target> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(url, `${url.protocol} addresses are not fetched`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refused(url, "it carries a user name or a password");
  }
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(name) ? [name] : await lookedUp(url, resolve(name), signal);
  if (addresses.length === 0) throw new HostError("network", `${url.hostname} has no address`);
  if (isAllowed(url, privateHosts)) return { url, addresses };
  const inside = addresses.find((address) => !isPublicAddress(address));
  if (inside === undefined) return { url, addresses };
  const where = inside === name ? "it" : `its address ${inside}`;
  throw refused(url, `${where} is private; the setting fetch.privateHosts can allow ${url.host}`);
}

/** A name server may be silent for ever. */
async function lookedUp(
  url: URL,
  looking: Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const given = Promise.withResolvers<never>();
  const giveUp = () => given.reject(signal.reason);
  signal.addEventListener("abort", giveUp);
  try {
    return await Promise.race([looking, given.promise]);
  } catch (error) {
    signal.throwIfAborted();
    const message = `${url.hostname} cannot be found: ${messageOf(error)}`;
    throw new HostError("network", message, { cause: error });
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function isAllowed({ host, hostname }: URL, privateHosts: readonly string[]): boolean {
  return privateHosts.some(
    (allowed) => allowed === "*" || allowed === host || allowed === hostname,
  );
}

function refused(url: URL, why: string): HostError {
  return new HostError("refused", `${url.protocol}//${url.host} is not fetched: ${why}.`);
}
