// `node scripts/run.mjs <command>`: the scripts of package.json call it. It runs on any Node from 20 with builtins only, because it has to
// install everything else first.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProduct, builtCommands, buildServer, builtServer } from './run-build.mjs';
import { checkAll } from './run-check.mjs';
import { ensureDependencies } from './run-install.mjs';
import { runForeground, runProgram, Stop } from './run-process.mjs';
import { findRuntime } from './run-runtime.mjs';
import { testAll } from './run-test.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @param {string} file @param {{ built?: boolean }} [needs] */
const entry = (file, needs = {}) => ({ file, ...needs });

/** @param {string} name */
const built = (name) => ({
  run: async (root, runtime, args) => {
    await buildServer(root, runtime);
    return runForeground(root, runtime, [builtServer(root, name), ...args]);
  },
});

const commands = {
  ...Object.fromEntries(builtCommands.map((name) => [name, built(name)])),
  start: {
    run: async (root, runtime, args) => {
      await buildProduct(root, runtime);
      return runForeground(root, runtime, [builtServer(root), ...args]);
    },
  },
  dev: entry('scripts/dev.ts'),
  build: { run: async (root, runtime) => (await buildProduct(root, runtime), 0) },
  migration: entry('scripts/migration.ts'),
  structure: entry('scripts/structure.ts'),
  pictures: entry('scripts/pictures.ts', { built: true }),
  doctor: entry('apps/server/doctor.ts'),
  demo: entry('apps/server/demo.ts'),
  bench: entry('bench/main.ts', { built: true }),
  'crash-test': entry('bench/crash/main.ts', { built: true }),
  'cluster-test': entry('bench/cluster/main.ts', { built: true }),
  test: { run: testAll },
  repeat: entry('scripts/repeat-test.ts'),
  'test-dates': entry('scripts/test-dates.ts'),
  check: { run: checkAll },
};

/** @param {string} name @param {string[]} args @returns {Promise<number>} exit code */
async function main(name, args) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Stop(`没有命令“${name}”，可用的命令：${Object.keys(commands).join('、')}。`);
  if (command.file && !existsSync(join(root, command.file)))
    throw new Stop(`命令“${name}”的程序 ${command.file} 不存在。`);
  await ensureDependencies(root);
  const runtime = findRuntime(root);
  if (command.run) return command.run(root, runtime, args);
  if (command.built) await buildProduct(root, runtime);
  return runForeground(root, runtime, [join(root, command.file), ...args]);
}

await runProgram(() => main(process.argv[2] ?? '', process.argv.slice(3)));
