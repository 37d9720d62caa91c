import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { builtCommands } from './scripts/run-build.mjs';

// The server as few files: read in a third of the time, and with nothing that strips types in the memory of its process and threads.

const root = import.meta.dirname.replaceAll('\\', '/');
const folder = 'dist/server';
/** A thread or a program that some file begins, beside it. */
const begun = /new URL\(\s*'([^']+\.ts)',\s*import\.meta\.url\s*\)/g;
/** Where a source lies, from the root. */
const placeOf = (id: string) => posix.relative(root, id.replaceAll('\\', '/').replace(/\?.*$/, ''));
const nameOf = (place: string) => place.replace(/\.ts$/, '').replaceAll('/', '.');

/** What is begun by its address, wherever it stands: its name in the build, and its source. */
function programs(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const file of globSync('{apps/server,kernel/server,modules}/**/*.ts', { cwd: root })) {
    const place = file.replaceAll('\\', '/');
    if (/\.test\.ts$|\/(testing|web)\//.test(place)) continue;
    for (const [, beside] of readFileSync(join(root, file), 'utf8').matchAll(begun)) {
      const source = posix.join(posix.dirname(place), beside!);
      found[nameOf(source)] = join(root, source);
    }
  }
  return found;
}

/** Lets each file find what it finds by its own address: programs in the build, all else beside its source. */
function addresses(): Plugin {
  return {
    name: 'addresses',
    enforce: 'pre',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: /import\.meta\.(url|dirname)/ },
      handler(code, id) {
        const place = placeOf(id);
        const self = `new URL(${JSON.stringify(`../../${place}`)}, import.meta.url).href`;
        const above = `(import.meta.dirname + ${JSON.stringify(`/../../${posix.dirname(place)}`)})`;
        const parts = code.split(begun);
        // Between what is begun stand, at odd places, the names of the files.
        const text = parts.map((part, index) =>
          index % 2 === 0
            ? part.replaceAll('import.meta.dirname', above).replaceAll('import.meta.url', self)
            : `new URL('./${nameOf(posix.join(posix.dirname(place), part))}.js', import.meta.url)`,
        );
        return { code: text.join(''), map: null };
      },
    },
  };
}

export default defineConfig({
  root,
  publicDir: false,
  plugins: [addresses()],
  // Their many files are a good part of a start, and most of what they hold is not asked for.
  ssr: { noExternal: [/^drizzle-orm(\/|$)/, /^zod(\/|$)/] },
  build: {
    ssr: true,
    outDir: folder,
    // A server that is running reads parts of what it was built as later on; `buildProduct` clears them away.
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    // Read by whoever starts it with `--enable-source-maps` alone: they take 26 MB.
    sourcemap: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      input: {
        ...Object.fromEntries(['main', ...builtCommands].map((name) => [name, join(root, `apps/server/${name}.ts`)])),
        ...programs(),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
