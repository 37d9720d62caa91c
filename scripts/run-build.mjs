import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, Stop, timed } from './run-process.mjs';

const common = ['package-lock.json', 'package.json', 'tsconfig.json'];
/** The parts built under dist/: their sources, their configuration, and the file that exists once they are built. */
const parts = {
  web: {
    title: '构建网页',
    config: 'vite.config.ts',
    sources: /^(apps\/web\/|kernel\/(contract|web)\/|modules\/[^/]+\/[^/]+\/(web\/|contract|widgets\.tsx$))/,
    single: ['scripts/installable.ts', ...common],
    made: 'index.html',
  },
  server: {
    title: '构建服务',
    config: 'vite.server.config.ts',
    sources: /^(apps\/server|kernel\/(contract|server)|modules)\/(?!(.*\/)?(web|testing)\/).*\.ts$/,
    single: ['scripts/run-build.mjs', ...common],
    made: 'main.js',
  },
};

/** The commands for operators that are built beside the server, and share its files: each is there in half the time. */
export const builtCommands = [
  'migrate',
  'verify',
  'backup',
  'restore',
  'admin',
  'quiet',
  'forget-secret',
  'accept-history',
];

/** A program that `npm run build` makes: the server, or a command beside it. @param {string} root @param {string} [command] */
export const builtServer = (root, command = 'main') => join(root, 'dist', 'server', `${command}.js`);

/**
 * A hash of everything that a part is built from.
 * @param {string} root
 * @param {keyof typeof parts} [part]
 */
export function hashSources(root, part = 'web') {
  const { sources, single, config } = parts[part];
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
  for (const file of [...files.sort(), config, ...single]) {
    if (!existsSync(join(root, file))) continue;
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Builds dist/web and dist/server, each unless it was built from exactly these sources.
 * @param {string} root
 * @param {string} runtime
 */
export async function buildProduct(root, runtime) {
  for (const part of Object.keys(parts)) await buildPart(root, runtime, part);
}

/** Builds dist/server alone, unless it was built from exactly these sources. @param {string} root @param {string} runtime */
export const buildServer = (root, runtime) => buildPart(root, runtime, 'server');

async function buildPart(root, runtime, part) {
  const { title, config, made } = parts[part];
  const kept = join(root, 'dist', `${part}.sources`);
  const hash = hashSources(root, part);
  if (existsSync(kept) && existsSync(join(root, 'dist', part, made)) && readFileSync(kept, 'utf8') === hash) return;
  rmSync(kept, { force: true });
  touchAll(join(root, 'dist', part));
  console.log(`正在${title}（约需半分钟）……`);
  const vite = [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', config];
  const code = await timed(title, () => runStep(root, runtime, vite, { quiet: true }));
  if (code !== 0) throw new Stop(`${title}失败，原因见上。`);
  clearOld(join(root, 'dist', part));
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(kept, hash);
}

const weekMs = 7 * 86_400_000;

/** @param {string} folder */
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((found) => found.isFile())
        .map((found) => join(found.parentPath ?? found.path, found.name))
    : [];

/** A server may be running from the last build, however old it is. @param {string} folder */
function touchAll(folder) {
  const now = new Date();
  for (const file of filesIn(folder)) utimesSync(file, now, now);
}

/** Removes the files of earlier builds after a week, because a server that was started from one may still read them. @param {string} folder */
function clearOld(folder) {
  for (const file of filesIn(folder)) if (statSync(file).mtimeMs < Date.now() - weekMs) rmSync(file);
}
