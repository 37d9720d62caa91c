import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, Stop, timed } from './run-process.mjs';

const sources = /^(apps\/web\/|kernel\/(contract|web)\/|modules\/[^/]+\/(web\/|contract|widgets\.tsx$))/;
const single = ['vite.config.ts', 'scripts/installable.ts', 'package-lock.json', 'package.json', 'tsconfig.json'];

/**
 * A hash over everything the browser's part is built from.
 * @param {string} root
 */
export function hashSources(root) {
  const files = ['apps', 'kernel', 'modules']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((found) => found.isFile())
        .map((found) => join(found.parentPath ?? found.path, found.name)),
    )
    .map((file) => file.slice(root.length).replaceAll('\\', '/').replace(/^\//, ''))
    .filter((file) => sources.test(file) && !/\.test\.tsx?$/.test(file));
  const hash = createHash('sha256');
  for (const file of [...files.sort(), ...single]) {
    if (!existsSync(join(root, file))) continue;
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Builds dist/web unless it was built from these very sources.
 * @param {string} root
 * @param {string} runtime
 */
export async function buildWeb(root, runtime) {
  const kept = join(root, 'dist', 'web.sources');
  const hash = hashSources(root);
  const index = join(root, 'dist', 'web', 'index.html');
  if (existsSync(kept) && existsSync(index) && readFileSync(kept, 'utf8') === hash) return;
  rmSync(kept, { force: true });
  console.log('正在构建网页（约需半分钟）……');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await timed('构建网页', () => runStep(root, runtime, [vite, 'build'], { quiet: true }));
  if (code !== 0) throw new Stop('构建网页失败，原因见上。');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(kept, hash);
}
