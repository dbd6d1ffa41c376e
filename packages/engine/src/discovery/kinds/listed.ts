/** What can run code is only named here: trust comes before anybody loads it. */

import type { Item } from "../item.ts";
import { itemOf, listedByName, type Kind } from "../kind.ts";

export const tool = listedByName;
export const extensionModule = listedByName;
export const extension = listedByName;

/** Files of settings are all merged, so none hides another. */
export const settingsFile: Kind<Item> = { key: () => undefined, read: (found) => [itemOf(found)] };
