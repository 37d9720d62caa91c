import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const server = process.env.DEV_API ?? `http://127.0.0.1:${process.env.PORT || 8080}`;

/** Adds `.br` and `.gz` beside every text asset, so that the server never compresses while it answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    // Last of all: only then are the marks of lazy imports replaced.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.values(bundle).filter(({ fileName }) => /\.(js|css|svg|json)$/.test(fileName));
        await Promise.all(
          texts.map(async (file) => {
            const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (content.length < 1024) return;
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: await brotli(content) });
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
  plugins: [react(), precompress()],
  build: { outDir: '../../dist/web', emptyOutDir: true, sourcemap: false, reportCompressedSize: false },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
