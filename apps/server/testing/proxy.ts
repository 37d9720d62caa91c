import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quietPort } from './port.ts';

const template = join(import.meta.dirname, '..', '..', '..', 'deploy', 'nginx', 'gongdan.conf.template');
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Our own nginx configuration, within the frame that an nginx needs to run beside others. */
function configuration(folder: string, values: Readonly<Record<string, string>>): string {
  const ours = readFileSync(template, 'utf8').replace(/\$\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${folder}/pid;
error_log ${folder}/error.log warn;
worker_processes 1;
events { worker_connections 512; }
http {
access_log off;
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${ours}
}
`;
}

/**
 * An nginx in front of two nodes, on a free port unless given; `front` is the address of a proxy before it, none unless given. Throws with the
 * message of nginx if it does not start.
 */
export async function startProxy(
  nginx: string,
  nodes: readonly [string, string],
  wanted?: number,
  front = '255.255.255.255',
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-nginx-'));
  const port = wanted ?? (await quietPort());
  const [first, second] = nodes.map((url) => new URL(url).host) as [string, string];
  mkdirSync(join(folder, 'logs'));
  writeFileSync(
    join(folder, 'nginx.conf'),
    configuration(folder, { LISTEN: `127.0.0.1:${port}`, NODE_1: first, NODE_2: second, FRONT: front }),
  );
  const errors = join(folder, 'error.log');
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', errors], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/readyz`).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`nginx 没有启动：${readFileSync(errors, 'utf8')}`);
    await pause(20);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
