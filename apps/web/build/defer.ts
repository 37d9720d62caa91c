import type { Plugin } from 'vite';

// Parts that the library's table brings for what no list here shows at first: a filter panel with a tree, a menu over
// the check boxes. They come when they are shown.
const late = [
  { part: /antd[\\/]es[\\/]table[\\/]hooks[\\/]useFilter[\\/]FilterDropdown\.js$/, from: /useFilter[\\/]index\.js$/ },
  { part: /antd[\\/]es[\\/]dropdown[\\/]index\.js$/, from: /antd[\\/]es[\\/]table[\\/]hooks[\\/]useSelection\.js$/ },
];
const mark = '\0late:';

/** Puts a component of a library behind a request of its own where another one imports it; in the build only. */
export function defer(): Plugin {
  return {
    name: 'defer',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || importer.startsWith(mark) || !late.some(({ from }) => from.test(importer))) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const put = found && late.some(({ part, from }) => part.test(found.id) && from.test(importer));
      return put ? { id: mark + found.id, moduleSideEffects: false } : null;
    },
    load(id) {
      if (!id.startsWith(mark)) return null;
      const real = JSON.stringify(id.slice(mark.length));
      return [
        "import { Suspense, createElement, lazy } from 'react';",
        `const Late = lazy(() => import(${real}));`,
        'export default (props) => createElement(Suspense, { fallback: null }, createElement(Late, props));',
        // Asked by the table whether filters are nested; without filters there are none.
        'export const flattenKeys = () => [];',
      ].join('\n');
    },
  };
}
