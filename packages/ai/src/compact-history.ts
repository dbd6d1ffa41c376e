/** The provider's own way to make a conversation shorter, for those that have one. */

import { lazy } from "@omp/std";
import type { ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";

const loadCompaction = lazy(() => import("./remote-compaction.ts"));

/**
 * What takes the place of the messages: items that only this provider can read.
 * @throws ProviderError when the provider cannot or does not
 */
export async function compactHistory(
  request: ModelRequest,
  options: StreamOptions,
): Promise<readonly object[]> {
  return (await loadCompaction()).compactHistory(request, options);
}
