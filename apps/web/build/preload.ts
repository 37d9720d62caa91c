import type { Plugin } from 'vite';

/**
 * Runs in the page in place of the build tool's own: everything a part needs is fetched before it is imported. A browser never tries
 * an import again that failed, nor any that needs it; a file that did not arrive is just fetched anew.
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
// Into the browser's cache, out of which it is imported: a preloading link that failed would fail again, as an import does.
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
// What needs nothing besides itself stands in its import alone.
const named = /import\\([\`'"]\\.\\/([^\`'"]+)[\`'"]\\)/;
export const __vitePreload = async (load, files) => {
  const alone = files && files.length > 0 ? null : named.exec(load.toString());
  const wanted = alone ? ['assets/' + alone[1]] : (files || []);
  await Promise.all(wanted.map((file) => arrive(new URL('/' + file, location.origin).href)));
  return load();
};
`;

/** Lets a part of the program that did not arrive be fetched anew. */
export function preloading(): Plugin {
  return {
    name: 'preloading',
    apply: 'build',
    enforce: 'pre',
    load: { filter: { id: /vite\/preload-helper/ }, handler: () => helper },
  };
}
