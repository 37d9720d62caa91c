import { optimize } from 'svgo';
import type { Plugin } from 'vite';

const drawing = /[\\/]@ant-design[\\/]icons-svg[\\/]es[\\/]asn[\\/]\w+\.js$/;
const path = /"d": "([^"]+)"/g;

/** Shortens the path of an icon. Icons are drawn on a grid of 896 units and shown in some 16 pixels, so that fractions of a unit are never visible. */
export function shortenPath(d: string): string {
  const { data } = optimize(`<svg viewBox="64 64 896 896"><path d="${d}"/></svg>`, {
    plugins: [{ name: 'convertPathData', params: { floatPrecision: 0 } }],
  });
  return / d="([^"]+)"/.exec(data)?.[1] ?? d;
}

/** Draws the icons of the built pages with whole numbers: a list shows some seventy, whose paths would weigh as much as a page. */
export function lightIcons(): Plugin {
  return {
    name: 'light-icons',
    apply: 'build',
    transform: {
      filter: { id: drawing },
      handler: (code) => ({ code: code.replace(path, (_, d: string) => `"d": "${shortenPath(d)}"`), map: null }),
    },
  };
}
