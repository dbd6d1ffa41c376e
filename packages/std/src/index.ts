/** Helpers without project knowledge. Named exports only. */

export { replaceFile, syncFolder, takeName, type ReplaceOptions } from "./atomic-file.ts";
export {
  boundedText,
  countLines,
  headOf,
  leftOutMark,
  tailOf,
  type BoundedText,
  type BoundedTextOptions,
} from "./bounded.ts";
export { sleep, systemClock, type Clock } from "./clock.ts";
export { codeOf, ignore, messageOf, UserError, type UserErrorKind } from "./errors.ts";
export { shortId, uuidV7 } from "./id.ts";
export { imageType } from "./image-type.ts";
export { lazy } from "./lazy.ts";
export { acquireLock, isLockHeld, type LockAttempt, type LockOwner } from "./lock.ts";
export { createLog, log, type Log, type LogFields, type LogLevel, type LogTarget } from "./log.ts";
export { logFile, type LogPlace } from "./log-file.ts";
export { editDistance, nearest } from "./nearest.ts";
export { seededRandom, systemRandom, type Random } from "./random.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export { createSanitizer, sanitize, sanitizeLine, type Sanitizer } from "./sanitize.ts";
export { stringMap } from "./string-map.ts";
export { Type } from "./type.ts";
export {
  plannedArea,
  setting,
  settingArea,
  settingName,
  type Setting,
  type SettingArea,
  type Values,
} from "./setting.ts";
