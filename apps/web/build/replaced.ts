import type { Plugin } from 'vite';

/** A part of a library that its own code imports at once, in whose place the built pages have something else. */
export interface Part {
  importer: RegExp;
  source: string;
  /** The code that stands in its place; `whole` names the part itself. */
  instead: (whole: string) => string;
}

/** Puts something else in the place of parts of libraries; `name` is the plugin's. */
export function replacedParts(name: string, parts: readonly Part[]): Plugin {
  const mark = `\0${name}:`;
  const instead = new Map<string, string>();
  return {
    name,
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
