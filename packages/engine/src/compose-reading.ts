/** What the read tool works with: sources, pictures, settings and what it remembers. */

import { createSources, type Processes } from "@omp/host";
import type { Clock } from "@omp/std";
import { createConflicts, createPages, type Hosts } from "@omp/tools";
import { createToolPictures } from "./images/tool-pictures.ts";
import type { ActiveModel } from "./model/active-model.ts";
import { imagesArea } from "./settings/schema/images.ts";
import { fetchArea, lineNumbersArea, readArea, summarizeArea } from "./settings/schema/read.ts";
import { toolsArea } from "./settings/schema/tools.ts";
import type { SettingsStore } from "./settings/store.ts";

export interface ReadingDeps {
  readonly settings: SettingsStore;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly active: Pick<ActiveModel, "current">;
}

export function composeReading({
  settings,
  processes,
  clock,
  active,
}: ReadingDeps): Pick<Hosts, "sources" | "pictures" | "reading" | "conflicts"> {
  const { enabled: allowsUrls, privateHosts } = settings.values(fetchArea);
  return {
    sources: createSources({ processes, clock, privateHosts }),
    pictures: createToolPictures({
      ...settings.values(imagesArea),
      modelSees: () => active.current.model.input.includes("image"),
    }),
    reading: {
      defaultLimit: settings.values(readArea).defaultLimit,
      lineNumbers: settings.values(lineNumbersArea).readLineNumbers,
      maxColumns: settings.values(toolsArea).outputMaxColumns,
      summarize: settings.values(summarizeArea),
      allowsUrls,
      pages: createPages(),
    },
    conflicts: createConflicts(),
  };
}
