import type { Plugin } from 'vite';

/**
 * Replaces the build tool's own helper in the page: everything that a part needs is fetched before the part is imported. A browser never retries a
 * failed import, nor any that depends on it, whereas a file that could not be fetched is simply fetched again.
 */
const helper = `
const coming = new Map();
const present = (url) =>
  [...document.querySelectorAll('script[src], link[rel=modulepreload], link[rel=stylesheet]')].some((one) => (one.src || one.href) === url);
const styled = (url) => new Promise((done, failed) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = url;
  link.onload = done;
  link.onerror = () => { link.remove(); failed(new TypeError('not fetched: ' + url)); };
  document.head.append(link);
});
// Fetched into the browser's cache, from which it is then imported: a preload link that failed would fail again, like an import.
async function cached(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new TypeError('not fetched: ' + url);
  await answer.arrayBuffer();
}
function arrive(url) {
  if (!coming.has(url)) {
    const arrived = present(url) ? Promise.resolve() : url.endsWith('.css') ? styled(url) : cached(url);
    coming.set(url, arrived);
    arrived.catch(() => coming.delete(url));
  }
  return coming.get(url);
}
// A part without dependencies appears only in its import.
const named = /import\\([\`'"]\\.\\/([^\`'"]+)[\`'"]\\)/;
export const __vitePreload = async (load, files) => {
  const alone = files && files.length > 0 ? null : named.exec(load.toString());
  const wanted = alone ? ['assets/' + alone[1]] : (files || []);
  await Promise.all(wanted.map((file) => arrive(new URL('/' + file, location.origin).href)));
  return load();
};
`;

/** Lets a part of the program that could not be loaded be fetched again. */
export function preloading(): Plugin {
  return {
    name: 'preloading',
    apply: 'build',
    enforce: 'pre',
    load: { filter: { id: /vite\/preload-helper/ }, handler: () => helper },
  };
}
