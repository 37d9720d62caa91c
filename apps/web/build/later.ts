import type { Plugin } from 'vite';

/** A part of a library that its own code imports at once, and that shows only when somebody asks for it. */
interface Part {
  importer: RegExp;
  source: string;
  /** What else the importer takes from it. */
  besides?: string;
}

const table = String.raw`[\\/]antd[\\/]es[\\/]table[\\/]hooks[\\/]`;
const parts: Part[] = [
  {
    importer: new RegExp(String.raw`${table}useFilter[\\/]index\.js$`),
    source: './FilterDropdown',
    besides:
      'export const flattenKeys = (filters) => (filters ?? []).flatMap(({ value, children }) => [value, ...flattenKeys(children)]);',
  },
  { importer: new RegExp(String.raw`${table}useSelection\.js$`), source: '../../dropdown' },
  { importer: new RegExp(String.raw`${table}useSelection\.js$`), source: '../../radio' },
];
const mark = '\0later:';

/** Lets the built pages fetch those parts when they are first shown: a list shows none of them. */
export function laterParts(): Plugin {
  const besides = new Map<string, string>();
  return {
    name: 'later-parts',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      const part = importer && parts.find((one) => one.source === source && one.importer.test(importer));
      const found = part && (await this.resolve(source, importer, { skipSelf: true }));
      if (!found) return null;
      besides.set(found.id, part.besides ?? '');
      return mark + found.id;
    },
    load(id) {
      if (!id.startsWith(mark)) return null;
      const whole = id.slice(mark.length);
      return `import { Suspense, createElement, lazy } from 'react';
const Part = lazy(() => import(${JSON.stringify(whole)}));
export default (props) => createElement(Suspense, { fallback: null }, createElement(Part, props));
${besides.get(whole) ?? ''}`;
    },
  };
}
