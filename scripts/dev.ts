import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

// Runs the server, restarted at each change, beside Vite, which forwards /api to it. If one ends, the other is ended too.
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
