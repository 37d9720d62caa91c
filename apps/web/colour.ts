/** Relative luminance, 0–1, of `#rrggbb`. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Contrast ratio of two colours as WCAG counts it, 1–21. */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** The nearest shade of `colour` that can be read on `ground`: mixed with black on light ground, with white on dark. */
export function readable(colour: string, ground: string, ratio = 4.6): string {
  const towards = luminance(ground) > 0.4 ? 0 : 255;
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = channels(colour).map((value) => Math.round(value + (towards - value) * share));
    const shade = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    if (contrast(shade, ground) >= ratio) return shade;
  }
  return towards ? '#ffffff' : '#000000';
}
