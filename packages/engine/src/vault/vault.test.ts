/** The ladder of keys, the stored ones on a real database. */

import type { Provider } from "@omp/ai";
import { createProcesses } from "@omp/host";
import { systemClock } from "@omp/std";
import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { vendor } from "../../test/shelf.ts";
import { createCommandRunner, createSecretResolver } from "../model/secrets-in-config.ts";
import { createCredentialStore } from "./credential-store.ts";
import { createVault, type KeyOrigin, type Vault, type VaultDeps } from "./vault.ts";

const acme = vendor("acme", ["a"]);

function vaultOf(deps: Partial<VaultDeps> = {}): Vault {
  return createVault({
    environment: {},
    providers: [acme],
    apiKeyFlag: undefined,
    store: { apiKeys: () => Promise.resolve(new Map()) },
    resolveValue: (value) => Promise.resolve(value),
    onSecret: () => {},
    ...deps,
  });
}

test("AUTH-01 flag, config, stored key, stored login, environment, fallback: each counts where those above are off", async () => {
  await using place = await workspace();
  const path = join(place.home, "agent.db");
  await createCredentialStore(path).setApiKey("acme", "stored-key");
  const layers: Record<KeyOrigin, Partial<VaultDeps>> = {
    flag: { apiKeyFlag: "flag-key" },
    config: { resolveValue: () => Promise.resolve("config-key") },
    stored: { store: createCredentialStore(path) },
    oauth: { oauthTokenFor: () => Promise.resolve("oauth-key") },
    environment: { environment: { ACME_KEY: "environment-key" } },
    fallback: { fallbackKeyFor: () => Promise.resolve("fallback-key") },
  };
  const order = Object.keys(layers) as KeyOrigin[];
  for (let mask = 0; mask < 2 ** order.length; mask++) {
    const on = order.filter((_, index) => mask & (1 << index));
    const vault = vaultOf(Object.assign({}, ...on.map((layer) => layers[layer])));
    if (on.includes("config")) vault.setConfigApiKey("acme", "whatever");
    const [origin] = on;
    expect(await vault.lookUp(acme)).toEqual(
      origin ? { kind: "key", value: `${origin}-key`, origin } : { kind: "missing" },
    );
  }
});

test("AUTH-02 a configured key beats a stored login, never the flag; it can be set, removed and cleared", async () => {
  const oauthTokenFor = () => Promise.resolve("oauth-token");
  const vault = vaultOf({ oauthTokenFor });
  vault.setConfigApiKey("acme", "config-key");
  expect(await vault.keyFor(acme)).toBe("config-key");
  vault.removeConfigApiKey("acme");
  expect(await vault.keyFor(acme)).toBe("oauth-token");
  vault.setConfigApiKey("acme", "config-key");
  vault.clearConfigApiKeys();
  expect(await vault.keyFor(acme)).toBe("oauth-token");
  const inFile: Provider = { ...acme, configKey: "config-key" };
  expect(await vault.keyFor(inFile)).toBe("config-key");
  const flagged = vaultOf({ oauthTokenFor, apiKeyFlag: "flag-key" });
  expect(await flagged.keyFor(inFile)).toBe("flag-key");
});

test("AUTH-03 a configured key is a variable's name, else itself, and with `!` a command", async () => {
  await using place = await workspace();
  await using processes = createProcesses({ clock: systemClock });
  const environment = { MY_KEY: "from-variable" };
  const run = createCommandRunner({ processes, environment, cwd: place.path });
  const secrets = createSecretResolver(environment, run);
  const vault = vaultOf({ environment, resolveValue: (value) => secrets.key(value) });
  const keyOf = (configKey: string) => vault.lookUp({ ...acme, configKey });
  expect(await keyOf("MY_KEY")).toMatchObject({ value: "from-variable" });
  expect(await keyOf("OTHER_KEY")).toMatchObject({ value: "OTHER_KEY" });
  expect(await keyOf("!echo k")).toMatchObject({ value: "k" });
  expect(await keyOf("!false")).toEqual({ kind: "missing" });
  vault.setConfigApiKey("acme", "MY_KEY");
  expect(vault.isSecretName("MY_KEY")).toBe(true);
});

test("AUTH-04 a provider that asks for no key is usable with an empty store, and marked so", async () => {
  const vault = vaultOf();
  const keyless = vendor("local", ["a"], { keyEnv: [] });
  expect(await vault.lookUp(keyless)).toEqual({ kind: "no-auth" });
  expect(await vault.hasKeyFor(keyless)).toBe(true);
  expect(await vault.keyFor(keyless)).toBeUndefined();
  expect(await vault.lookUp({ ...acme, isKeyOptional: true })).toEqual({ kind: "no-auth" });
  expect(await vault.hasKeyFor(acme)).toBe(false);
  await expect(vault.keyFor(acme)).rejects.toThrow("No API key for ACME. Set ACME_KEY");
});

test("every secret is announced before it is given", async () => {
  const heard: string[] = [];
  const vault = vaultOf({
    environment: { ACME_KEY: "environment-key" },
    apiKeyFlag: "flag-key",
    store: { apiKeys: () => Promise.resolve(new Map([["mill", "stored-key"]])) },
    onSecret: (value) => void heard.push(value),
  });
  expect(heard).toEqual(["flag-key", "environment-key"]);
  vault.giveFlagKeyTo("acme");
  expect(await vault.keyFor(vendor("mill", []))).toBe("stored-key");
  expect(heard).toContain("stored-key");
});

test("stored keys: private from the first byte, replaced, forgotten; reading creates nothing", async () => {
  await using place = await workspace();
  const path = join(place.home, ".omp/agent/agent.db");
  const store = createCredentialStore(path);
  expect([...(await store.apiKeys())]).toEqual([]);
  expect(existsSync(path)).toBe(false);
  await store.setApiKey("acme", "one");
  await store.setApiKey("acme", "two");
  await store.setApiKey("mill", "three");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(place.home, ".omp/agent")).mode & 0o777).toBe(0o700);
  expect([...(await createCredentialStore(path).apiKeys())]).toEqual([
    ["acme", "two"],
    ["mill", "three"],
  ]);
  chmodSync(path, 0o644);
  await store.remove("acme");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect([...(await store.apiKeys())]).toEqual([["mill", "three"]]);
});

test("a file that is no database gives no keys and does not stop a start", async () => {
  await using place = await workspace();
  const path = await place.write("agent.db", "this is not a database, it is a long enough text");
  expect([...(await createCredentialStore(path).apiKeys())]).toEqual([]);
  await expect(createCredentialStore(path).setApiKey("a", "b")).rejects.toThrow(
    `Cannot store keys in ${path}`,
  );
});
