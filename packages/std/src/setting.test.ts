/** Settings as declared values. */

import { describe, expect, test } from "bun:test";
import { Type } from "typebox";
import { setting, settingArea, settingName, type Values } from "./setting.ts";

describe("settings", () => {
  const area = settingArea("retry", {
    enabled: setting(Type.Boolean(), true, { label: "Retry", help: "Try again" }),
    maxRetries: setting(Type.Integer(), 3, { label: "Tries", help: "How often", env: "PI_TRIES" }),
  });

  test("a declaration carries schema, default and texts", () => {
    expect(area.settings.maxRetries).toMatchObject({ default: 3, env: "PI_TRIES", label: "Tries" });
    const values: Values<typeof area> = { enabled: false, maxRetries: 1 };
    expect(values.maxRetries).toBe(1);
  });

  test("the full name has the prefix of its area, if there is one", () => {
    expect(settingName(area, "enabled")).toBe("retry.enabled");
    expect(settingName(settingArea("", {}), "theme")).toBe("theme");
  });
});
