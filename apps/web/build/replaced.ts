import type { Plugin } from 'vite';

/** A part of a library that its own code imports eagerly, and that the built pages replace. */
export interface Part {
  importer: RegExp;
  source: string;
  /** The replacement's code; `whole` is the path of the original part. */
  instead: (whole: string) => string;
}

/** Replaces parts of libraries; `name` is the plugin's. */
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
