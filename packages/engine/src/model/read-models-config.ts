/** The door to models.yml. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { NO_CONFIG, type ModelsConfig } from "./models-config.ts";

/** Most people have no such file: what reads and checks it is loaded only where there is one. */
export async function readModelsConfig(path: string): Promise<ModelsConfig> {
  if (!existsSync(path) && !existsSync(join(dirname(path), "models.json"))) return NO_CONFIG;
  return (await import("./models-file.ts")).loadModelsFile(path);
}
