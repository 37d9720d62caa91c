import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Loads a package when its function is first called, for code that few calls need and that cannot wait. Code that can wait uses `await import(…)`
 * instead.
 */
export const whenNeeded =
  <Package>(name: string): (() => Package) =>
  () =>
    require(name) as Package;
