/** The version: injected by the build, read from the package when run from source. */

import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
