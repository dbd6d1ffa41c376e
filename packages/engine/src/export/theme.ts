/** The active theme as colours of the page: those it names for exports, the rest derived from what it has. Pure. */

import { contrast, hexOf, luminance, mix, parseColor, type Rgb } from "./color.ts";

type ThemeColor = string | number;

/** The part of a theme that a page can use; the names are those of theme files, variables resolved. */
export interface ExportTheme {
  readonly colors: Readonly<Partial<Record<ThemeToken, ThemeColor>>>;
  readonly export?: {
    readonly pageBg?: ThemeColor;
    readonly cardBg?: ThemeColor;
    readonly infoBg?: ThemeColor;
  };
}

type ThemeToken =
  "accent" | "border" | "error" | "muted" | "success" | "text" | "userMessageBg" | "warning";

export interface ThemeStyle {
  /** Rules for the page's `style` element; empty without a theme. */
  readonly css: string;
  /** How the page looks first; `auto` is what the reader's system prefers. */
  readonly mode: "auto" | "dark" | "light";
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** What small text needs to be readable for most people (WCAG AA). */
const READABLE = 4.5;

/** A theme colours the page in its own mode; the other mode keeps the page's own colours. */
export function themeStyle(theme: ExportTheme | undefined): ThemeStyle {
  if (!theme) return { css: "", mode: "auto" };
  const grounds = groundsOf(theme);
  if (!grounds) return { css: "", mode: "auto" };
  const mode = luminance(grounds.page) < 0.4 ? "dark" : "light";
  const colors = { ...grounds, ...inks(theme, grounds.card) };
  const rules = Object.entries(colors).map(([name, color]) => `--${mode}-${name}:${hexOf(color)};`);
  return { css: `:root{${rules.join("")}}`, mode };
}

interface Grounds {
  readonly page: Rgb;
  readonly card: Rgb;
  readonly info: Rgb;
}

/** The backgrounds. Themes of terminals have one for messages; the page around it is a step further away from the text. */
function groundsOf({ colors, export: named = {} }: ExportTheme): Grounds | undefined {
  const [page, card] = [parseColor(named.pageBg), parseColor(named.cardBg)];
  const base = card ?? parseColor(colors.userMessageBg) ?? page ?? groundFor(colors.text);
  if (!base) return undefined;
  const isDark = luminance(base) < 0.4;
  const derivedPage = mix(base, isDark ? BLACK : WHITE, isDark ? 0.35 : 0.6);
  const signal = parseColor(colors.warning) ?? parseColor(colors.accent) ?? base;
  return {
    page: page ?? derivedPage,
    card: card ?? base,
    info: parseColor(named.infoBg) ?? mix(base, signal, 0.14),
  };
}

/** A theme that leaves its backgrounds to the terminal still says by its text whether it is a dark one. */
function groundFor(text: ThemeColor | undefined): Rgb | undefined {
  const color = parseColor(text);
  if (!color) return undefined;
  return luminance(color) > 0.4 ? [28, 28, 32] : [250, 250, 250];
}

/** Text colours of the theme, moved away from the background until they can be read on it. */
function inks({ colors }: ExportTheme, ground: Rgb): Readonly<Record<string, Rgb>> {
  const far = luminance(ground) < 0.4 ? WHITE : BLACK;
  const named = {
    text: colors.text,
    muted: colors.muted,
    accent: colors.accent,
    good: colors.success,
    bad: colors.error,
    warn: colors.warning,
  };
  const found = Object.entries(named).flatMap(([name, value]) => {
    const color = parseColor(value);
    return color ? [[name, readable(color, ground, far)] as const] : [];
  });
  const line = parseColor(colors.border);
  return { ...Object.fromEntries(found), ...(line && { line }) };
}

function readable(color: Rgb, ground: Rgb, far: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.1) {
    const moved = mix(color, far, share);
    if (contrast(moved, ground) >= READABLE) return moved;
  }
  return far;
}
