import { replacedParts, type Part } from './replaced.ts';

const schemas = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;
const refuse = `() => () => { throw new Error('JSON Schema is written by the server alone'); }`;
const parts: Part[] = [
  // Only the server converts schemas to JSON Schema, for the description of all calls.
  {
    importer: schemas,
    source: '../core/json-schema-processors.js',
    instead: (whole) => `export { aggregateChecks } from ${JSON.stringify(whole)};`,
  },
  {
    importer: schemas,
    source: '../core/to-json-schema.js',
    instead: () =>
      `export const createToJSONSchemaMethod = ${refuse};\nexport const createStandardJSONSchemaMethod = ${refuse};`,
  },
  // Messages of refusals are our own, in Chinese.
  { importer: schemas, source: '../locales/en.js', instead: () => 'export default () => ({});' },
];

/** Removes parts of libraries that only servers need from the built pages. */
export const serverOnlyParts = () => replacedParts('server-only-parts', parts);
