/** Finds things of a kind in all sources: the strongest of a name counts, the others are known to be hidden. */

import { messageOf } from "@omp/std";
import { customSkills, isLeftOut, type SkillSwitches } from "./custom-skills.ts";
import { gather, levelOf } from "./gather.ts";
import type { Discovered, Found, Item, KindId, KindItems, Shadowed, Warning } from "./item.ts";
import type { Kind } from "./kind.ts";
import { kinds } from "./kinds/registry.ts";
import { Look } from "./look.ts";
import { survey, type Place } from "./place.ts";
import type { Source, Spot } from "./source.ts";
import { sources } from "./sources/registry.ts";

/** What the settings switch off, in this folder. */
export interface Switches {
  /** Ids of sources. */
  readonly sources: readonly string[];
  /** `<kind>:<name>` or `<kind>:<level>:<name>` */
  readonly items: readonly string[];
  /** `<kind>:<source>:<level>`: the places of one source. */
  readonly places: readonly string[];
  readonly skills?: SkillSwitches;
}

export interface DiscoveryDeps {
  /** Where the person works now. */
  place(): Place;
  switches(cwd: string): Switches;
}

/** What was found in a folder stays until the folder changes or somebody forgets it. */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  #known: { readonly look: Look; readonly found: Map<KindId, Discovered<Item>> } | undefined;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  find<Id extends KindId>(id: Id): Discovered<KindItems[Id]> {
    const { look, found } = this.#current();
    const known = found.get(id);
    if (known) return known as Discovered<KindItems[Id]>;
    const made = discover(id, look, this.#deps.switches(look.place.cwd));
    found.set(id, made);
    return made;
  }

  /** The folder, and how far it reaches. */
  get look(): Look {
    return this.#current().look;
  }

  forget(): void {
    this.#known = undefined;
  }

  #current() {
    const place = this.#deps.place();
    if (this.#known?.look.place.cwd !== place.cwd) this.#known = undefined;
    this.#known ??= { look: new Look(survey(place)), found: new Map() };
    return this.#known;
  }
}

export function discover<Id extends KindId>(
  id: Id,
  look: Look,
  switches: Switches,
): Discovered<KindItems[Id]> {
  const kind: Kind<KindItems[Id]> = kinds[id];
  const warnings: Warning[] = [];
  const warn = (warning: Warning) => void warnings.push(warning);
  const custom = id === "skill" ? switches.skills : undefined;
  const found: Found[] = custom ? [...customSkills(custom, look, warn)] : [];
  for (const source of sources) {
    if (switches.sources.includes(source.id)) continue;
    for (const spot of source.spots[id] ?? []) {
      if (isClosed(spot, source, id, switches)) continue;
      found.push(...gather(spot, source, look, warn));
    }
  }
  const items = found.flatMap((one) => read(kind, one, look, warn));
  const wanted = items.filter((item) => item.name.trim() !== "" && !isOff(id, item, switches));
  const ordered = kind.isProjectFirst ? projectFirst(wanted) : wanted;
  return { ...settle(kind, ordered), warnings };
}

/** Whether the settings do without this place. */
function isClosed({ base }: Spot, source: Source, id: KindId, { places }: Switches): boolean {
  return places.length > 0 && places.includes(`${id}:${source.id}:${levelOf(base)}`);
}

function read<Own extends Item>(
  kind: Kind<Own>,
  found: Found,
  look: Look,
  warn: (warning: Warning) => void,
): readonly Own[] {
  const bound = found.level === "project" ? found.folder : undefined;
  try {
    return kind.read(found, {
      text: (path) => look.text(path, bound),
      warn: (place, text) => warn({ place, text }),
    });
  } catch (error) {
    warn({ place: found.path, text: `not used: ${messageOf(error)}` });
    return [];
  }
}

function isOff(id: KindId, { name, level }: Item, { items, skills }: Switches): boolean {
  if (id === "skill" && skills && isLeftOut(name, skills)) return true;
  if (items.length === 0) return false;
  return items.includes(`${id}:${name}`) || items.includes(`${id}:${level}:${name}`);
}

function projectFirst<Own extends Item>(items: readonly Own[]): readonly Own[] {
  const of = (level: Item["level"]) => items.filter((item) => item.level === level);
  return [...of("project"), ...of("user")];
}

/** Of items with the same key the first counts. Pure. */
export function settle<Own extends Item>(
  kind: Pick<Kind<Own>, "key">,
  candidates: readonly Own[],
): Pick<Discovered<Own>, "items" | "shadowed"> {
  const strongest = new Map<string, Own>();
  const items: Own[] = [];
  const shadowed: Shadowed<Own>[] = [];
  for (const item of candidates) {
    const key = kind.key(item);
    const by = key === undefined ? undefined : strongest.get(key);
    if (by) {
      shadowed.push({ item, by });
      continue;
    }
    if (key !== undefined) strongest.set(key, item);
    items.push(item);
  }
  return { items, shadowed };
}
