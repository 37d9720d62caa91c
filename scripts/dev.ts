import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

// The server, started anew at each change, beside Vite, which passes /api on to it. Whichever ends, ends both.
const root = join(import.meta.dirname, '..');
const start = (...args: string[]) =>
  spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

const children: ChildProcess[] = [
  start('--watch', '--watch-preserve-output', join(root, 'apps/server/main.ts')),
  start(join(root, 'node_modules/vite/bin/vite.js')),
];

function stopAll(): void {
  for (const child of children) if (!child.killed) child.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);
for (const child of children)
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0;
    stopAll();
  });
