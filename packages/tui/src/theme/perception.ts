/** How colours look to people: how far apart two are, how bright one is, whether text on a ground can be read. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** The square of the distance in OKLab, where equal distances look equal. */
export function distance(a: Rgb, b: Rgb): number {
  const [lightA, greenRedA, blueYellowA] = oklab(a);
  const [lightB, greenRedB, blueYellowB] = oklab(b);
  return (lightA - lightB) ** 2 + (greenRedA - greenRedB) ** 2 + (blueYellowA - blueYellowB) ** 2;
}

/** The contrast ratio of WCAG 2: 1 for the same colour, 21 for black on white. */
export function contrast(a: Rgb, b: Rgb): number {
  const [bright, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** From 0, black, to 1, white. */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function oklab([red, green, blue]: Rgb): [number, number, number] {
  const r = linear(red);
  const g = linear(green);
  const b = linear(blue);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
