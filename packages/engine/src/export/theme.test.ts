/** Colours of a theme on the page: named ones as they are, the others derived and readable. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { contrast, parseColor, type Rgb } from "./color.ts";
import { themeStyle } from "./theme.ts";

const NAMED = { pageBg: "#101014", cardBg: "#1a1a22", infoBg: "#2a2410" };

function colorsIn(css: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...css.matchAll(/--([a-z-]+):(#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

test("export colours of the theme are those of the page", () => {
  const { css, mode } = themeStyle({ colors: { text: "#eeeeee" }, export: NAMED });
  expect(mode).toBe("dark");
  expect(colorsIn(css)).toMatchObject({
    "dark-page": "#101014",
    "dark-card": "#1a1a22",
    "dark-info": "#2a2410",
  });
});

test.each([
  ["a dark theme", { userMessageBg: "#343541", text: "#e5e5e7", warning: "#ffff00" }, "dark"],
  ["a light theme", { userMessageBg: "#e8e8e8", text: "#1f1f1f", warning: "#9a7326" }, "light"],
  ["a theme of indexed colours", { userMessageBg: 236, text: 252, accent: 75 }, "dark"],
  ["a theme without backgrounds", { userMessageBg: "", text: "#111111" }, "light"],
] as const)("absent ones are derived from %s and can be read", (_, colors, mode) => {
  const style = themeStyle({ colors });
  expect(style.mode).toBe(mode);
  const found = colorsIn(style.css);
  const ink = parseColor(found[`${mode}-text`]) as Rgb;
  for (const ground of ["page", "card", "info"]) {
    expect(contrast(ink, parseColor(found[`${mode}-${ground}`]) as Rgb)).toBeGreaterThan(4.5);
  }
});

test("text that the theme made too faint for a page is moved until it can be read", () => {
  const { css } = themeStyle({ colors: { muted: "#3a3a40" }, export: NAMED });
  const muted = parseColor(colorsIn(css)["dark-muted"]) as Rgb;
  expect(contrast(muted, parseColor(NAMED.cardBg) as Rgb)).toBeGreaterThanOrEqual(4.5);
});

test("values that are no colours cannot reach the page", () => {
  const { css } = themeStyle({
    colors: { text: "#eee;}body{display:none" },
    export: { ...NAMED, infoBg: "red" },
  });
  expect(css).not.toMatch(/display|red/);
});

test("without a theme the page keeps its own colours", () => {
  expect(themeStyle(undefined)).toEqual({ css: "", mode: "auto" });
});

const sheet = await Bun.file(join(import.meta.dir, "../../page/style/base.css")).text();
const OWN = Object.fromEntries(
  [...sheet.matchAll(/--((?:light|dark)-\w+): (#\w{6});/g)].map(([, name = "", value]) => [
    name,
    value,
  ]),
);

test.each(["light", "dark"])("the page's own colours can be read: %s", (mode) => {
  for (const ink of ["text", "muted", "accent", "good", "bad", "warn"]) {
    for (const ground of ["page", "card", "info"]) {
      const pair = [OWN[`${mode}-${ink}`], OWN[`${mode}-${ground}`]].map(parseColor) as [Rgb, Rgb];
      expect([ink, ground, contrast(...pair) >= 4.5]).toEqual([ink, ground, true]);
    }
  }
});
