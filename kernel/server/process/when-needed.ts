import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A package that few calls need and that is asked from where nobody can wait: read the first time its function is called. Where
 * somebody can wait, `await import(…)` stands there instead.
 */
export const whenNeeded =
  <Package>(name: string): (() => Package) =>
  () =>
    require(name) as Package;
