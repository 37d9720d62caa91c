import type { Plugin } from 'vite';

/** A part of a library that its own code imports at once, and that only the server uses. */
interface Part {
  importer: RegExp;
  source: string;
  /** What stands in its place; `whole` names the part itself. */
  instead: (whole: string) => string;
}

const schemas = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;
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
    instead: () => {
      const refuse = `() => () => { throw new Error('JSON Schema is written by the server alone'); }`;
      return `export const createToJSONSchemaMethod = ${refuse};\nexport const createStandardJSONSchemaMethod = ${refuse};`;
    },
  },
  // The words of refusals are the house's own, in Chinese.
  { importer: schemas, source: '../locales/en.js', instead: () => 'export default () => ({});' },
];
const mark = '\0server-only:';

/** Keeps those parts out of the built pages. */
export function serverOnlyParts(): Plugin {
  const instead = new Map<string, string>();
  return {
    name: 'server-only-parts',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      const part = importer && parts.find((one) => one.source === source && one.importer.test(importer));
      const found = part && (await this.resolve(source, importer, { skipSelf: true }));
      if (!found) return null;
      instead.set(mark + found.id, part.instead(found.id));
      return { id: mark + found.id, moduleSideEffects: false };
    },
    load: (id) => instead.get(id) ?? null,
  };
}
