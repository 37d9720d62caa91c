import { registerHooks } from 'node:module';

/**
 * Node reads a package's `exports` again for every file that names the package, and its manifest again for every file inside. drizzle-orm declares
 * 180 KB of them and is named by 300 files: a second and a half of each start. Here a package is found once, and a file beside a file of drizzle-orm
 * is an ES module like its neighbour.
 */
const found = new Map<string, { url: string; format?: string | null | undefined; shortCircuit: true }>();
const drizzle = '/node_modules/drizzle-orm/';

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (!parentURL || specifier.startsWith('node:')) return next(specifier, context);
    if (specifier.startsWith('.') && parentURL.includes(drizzle) && parentURL.endsWith('.js'))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    if (specifier.startsWith('.') || parentURL.includes('/node_modules/') || context.conditions.includes('require'))
      return next(specifier, context);
    const known = found.get(specifier);
    if (known) return known;
    const { url, format } = next(specifier, context);
    const answer = { url, format, shortCircuit: true as const };
    found.set(specifier, answer);
    return answer;
  },
});
