/** A model as programs may know it: without what opens its server. */

import type { Snapshot } from "@omp/engine/protocol";
import type { RpcModel } from "@omp/rpc-client/wire";

/** Headers and the user of an address may hold keys. */
export function publicModel({ headers: _headers, ...model }: Snapshot["model"]): RpcModel {
  if (!URL.canParse(model.baseUrl)) return model;
  const address = new URL(model.baseUrl);
  if (address.username === "" && address.password === "") return model;
  address.username = "";
  address.password = "";
  return { ...model, baseUrl: address.href };
}
