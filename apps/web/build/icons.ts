import { optimize } from 'svgo';
import type { Plugin } from 'vite';

const drawing = /[\\/]@ant-design[\\/]icons-svg[\\/]es[\\/]asn[\\/]\w+\.js$/;
const path = /"d": "([^"]+)"/g;

/** The same line in fewer characters. Icons are drawn on 896 units and shown in some 16 pixels, so that a unit's fraction is never seen. */
export function shortenPath(d: string): string {
  const { data } = optimize(`<svg viewBox="64 64 896 896"><path d="${d}"/></svg>`, {
    plugins: [{ name: 'convertPathData', params: { floatPrecision: 0 } }],
  });
  return / d="([^"]+)"/.exec(data)?.[1] ?? d;
}

/** Draws the icons of the built pages with whole numbers: a list shows some seventy, whose lines would weigh as much as a page. */
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
