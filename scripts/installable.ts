import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { build, type Plugin, type Rolldown } from 'vite';

const web = join(import.meta.dirname, '../apps/web');
const from = (name: string) => readFile(join(web, name));

/** The product's icon as a picture; `full` fills the whole square, for systems that cut their own shape. */
async function picture(size: number, full: boolean): Promise<Buffer> {
  const drawn = await from('icon.svg');
  const inner = full ? Math.round(size * 0.8) : size;
  const icon = await sharp(drawn, { density: (72 * inner) / 32 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  if (!full) return icon;
  const ground = { width: size, height: size, channels: 3 as const, background: '#0099e0' };
  return sharp({ create: ground })
    .composite([{ input: icon }])
    .png({ palette: true })
    .toBuffer();
}

/** Builds one classic script, with the names of its cached files inserted. */
async function worker(kept: { url: string; revision: string }[]): Promise<string> {
  const built = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', OFFLINE_FILES: JSON.stringify(kept) },
    build: {
      write: false,
      lib: { entry: join(web, 'worker/worker.ts'), formats: ['iife'], name: 'worker', fileName: 'worker' },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]!.output[0].code;
}

/** Makes the office installable and able to receive pushes: files at the root, where a service worker must be, under fixed names. */
export function installable(): Plugin {
  return {
    name: 'installable',
    apply: 'build',
    async generateBundle() {
      const files: Record<string, Buffer> = {
        'icon-192.png': await picture(192, false),
        'icon-512.png': await picture(512, false),
        'icon-full-512.png': await picture(512, true),
        'apple-touch-icon.png': await picture(180, true),
        'manifest.webmanifest': await from('worker/manifest.json'),
        'offline.html': await from('worker/offline.html'),
        'offline.js': await from('worker/offline.js'),
      };
      const kept = ['offline.html', 'offline.js', 'icon-192.png'].map((name) => ({
        url: `/${name}`,
        revision: createHash('sha256').update(files[name]!).digest('hex').slice(0, 16),
      }));
      files['worker.js'] = Buffer.from(await worker(kept));
      for (const [name, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName: `root/${name}`, source });
    },
  };
}
