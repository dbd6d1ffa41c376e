/** Helpers without project knowledge. Named exports only. */

export { systemClock, type Clock } from "./clock.ts";
export { codeOf, ignore, messageOf, UserError, type UserErrorKind } from "./errors.ts";
export { shortId, uuidV7 } from "./id.ts";
export { log } from "./log.ts";
export { editDistance, nearest } from "./nearest.ts";
export { seededRandom, systemRandom, type Random } from "./random.ts";
export {
  setting,
  settingArea,
  settingName,
  type Setting,
  type SettingArea,
  type Values,
} from "./setting.ts";
