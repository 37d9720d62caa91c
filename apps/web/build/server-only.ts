import { replacedParts, type Part } from './replaced.ts';

const schemas = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;
const refuse = `() => () => { throw new Error('JSON Schema is written by the server alone'); }`;
const parts: Part[] = [
  // Schemas are written down as JSON Schema for the description of all calls, by the server alone.
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
  // The words of refusals are the house's own, in Chinese.
  { importer: schemas, source: '../locales/en.js', instead: () => 'export default () => ({});' },
];

/** Keeps out of the built pages what libraries bring for servers alone. */
export const serverOnlyParts = () => replacedParts('server-only-parts', parts);
