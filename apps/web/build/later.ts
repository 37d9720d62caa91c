import { replacedParts, type Part } from './replaced.ts';

/** Code that shows a part once it is loaded; `besides` is the code for the other names that the importer uses. */
const later =
  (besides = '') =>
  (whole: string) =>
    `import { Suspense, createElement, lazy } from 'react';
const Part = lazy(() => import(${JSON.stringify(whole)}));
export default (props) => createElement(Suspense, { fallback: null }, createElement(Part, props));
${besides}`;

const table = String.raw`[\\/]antd[\\/]es[\\/]table[\\/]hooks[\\/]`;
const parts: Part[] = [
  {
    importer: new RegExp(String.raw`${table}useFilter[\\/]index\.js$`),
    source: './FilterDropdown',
    instead: later(
      'export const flattenKeys = (filters) => (filters ?? []).flatMap(({ value, children }) => [value, ...flattenKeys(children)]);',
    ),
  },
  { importer: new RegExp(String.raw`${table}useSelection\.js$`), source: '../../dropdown', instead: later() },
  { importer: new RegExp(String.raw`${table}useSelection\.js$`), source: '../../radio', instead: later() },
];

/** Makes the built pages load these parts when they are first shown, because a list shows none of them. */
export const laterParts = () => replacedParts('later-parts', parts);
