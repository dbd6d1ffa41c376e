/** The tools a model can call. */

export { tools } from "./registry.ts";
export type { Hosts } from "./shared/hosts.ts";
