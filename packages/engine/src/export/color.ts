/** Colours of themes as numbers: read, mixed, compared. Pure. */

/** Red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** `#RRGGBB` or a colour of the 256 that terminals know; undefined for the terminal's own. */
export function parseColor(value: string | number | undefined): Rgb | undefined {
  if (typeof value === "number") return indexed(value);
  const hex = /^#([0-9a-f]{6})$/i.exec(value ?? "")?.[1];
  if (hex === undefined) return undefined;
  const number = Number.parseInt(hex, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

export function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** @param share how much of the second, 0 to 1 */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * share;
  return [at(0), at(1), at(2)];
}

/** Relative luminance as the contrast rules of the web define it: 0 is black, 1 is white. */
export function luminance([red, green, blue]: Rgb): number {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [
    Math.max(luminance(a), luminance(b)),
    Math.min(luminance(a), luminance(b)),
  ];
  return (light + 0.05) / (dark + 0.05);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const CUBE = [0, 95, 135, 175, 215, 255] as const;
const SYSTEM = [
  "#000000 #800000 #008000 #808000 #000080 #800080 #008080 #c0c0c0",
  "#808080 #ff0000 #00ff00 #ffff00 #0000ff #ff00ff #00ffff #ffffff",
]
  .join(" ")
  .split(" ");

function indexed(index: number): Rgb | undefined {
  if (!Number.isInteger(index) || index < 0 || index > 255) return undefined;
  if (index < 16) return parseColor(SYSTEM[index]);
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const cell = index - 16;
  const level = (divisor: number) => CUBE[Math.floor(cell / divisor) % 6] ?? 0;
  return [level(36), level(6), level(1)];
}
