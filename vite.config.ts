import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';
import { lightIcons } from './apps/web/build/icons.ts';
import { laterParts } from './apps/web/build/later.ts';
import { packetOf } from './apps/web/build/packets.ts';
import { preloading } from './apps/web/build/preload.ts';
import { serverOnlyParts } from './apps/web/build/server-only.ts';
import { spokenChinese } from './apps/web/build/spoken.ts';
import { installable } from './scripts/installable.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const folder = import.meta.dirname.replaceAll('\\', '/');
const server = process.env.DEV_API ?? `http://127.0.0.1:${process.env.PORT || 8080}`;

/** Adds `.br` and `.gz` beside every text asset, so that the server never compresses while it answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After Vite's own replacements: compressed earlier, a file would still carry their marks and not start.
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.values(bundle).filter(({ fileName }) => /\.(m?js|css|svg|json)$/.test(fileName));
        await Promise.all(
          texts.map(async (file) => {
            const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (content.length < 1024) return;
            const params = {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
              [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
            };
            const smallest = await brotli(content, { params });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: smallest });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: await zip(content, { level: 9 }) });
          }),
        );
      },
    },
  };
}

export default defineConfig({
  root: 'apps/web',
  publicDir: false,
  plugins: [
    react(),
    spokenChinese(),
    laterParts(),
    serverOnlyParts(),
    lightIcons(),
    preloading(),
    installable(),
    precompress(),
  ],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /[\\/]@rc-component[\\/]/, sideEffects: false }] },
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: packetOf(folder) }] } },
    },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
