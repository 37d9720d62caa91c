import sharp from 'sharp';

/** A different scene for each seed, so that no two look alike. */
export function scene(seed: number, width = 360, height = 240) {
  const circle = (n: number) => {
    const at = (k: number, most: number) =>
      ((((seed + 1) * k * 7919 + n * n * 104_729 + n * k * 611) % 1000) / 1000) * most;
    const colour = Math.floor(at(13, 4096)).toString(16).padStart(3, '0');
    return `<circle cx="${at(3, width)}" cy="${at(5, height)}" r="${20 + at(11, 60)}" fill="#${colour}"/>`;
  };
  const drawn = Array.from({ length: 9 }, (_one, n) => circle(n)).join('');
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#${((seed * 555) % 4096).toString(16).padStart(3, '0')}"/>${drawn}</svg>`,
    ),
  );
}
export const jpegOf = (seed: number) => scene(seed).jpeg({ quality: 90 }).toBuffer();
