import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Pooler } from './pooler.ts';

/** Debian's PgBouncer in front of a database, in one of its modes, with further settings. */
export async function openPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
  settings: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-pgbouncer-'));
  const { hostname, port, username, password } = new URL(databaseUrl);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const own = String((probe.address() as AddressInfo).port);
  probe.close();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    pool_mode: mode,
    ...settings,
  };
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`);
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${Object.entries(all)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n')}\n`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const as = process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--clear-groups', '--'] : [];
  const [file, ...args] = [...as, 'pgbouncer', '-q', join(folder, 'ini')];
  const child = spawn(file!, args, { stdio: 'ignore', env: { PATH: `${process.env['PATH']}:/usr/sbin` } });
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: own }).href;
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    const there = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end();
    if (there) break;
    if (tries > 100) throw new Error('PgBouncer did not start');
    await pause(50);
  }
  return {
    url,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
