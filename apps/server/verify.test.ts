import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { access } from '#modules/platform/access/contract.ts';
import { sealLogs } from '#modules/platform/audit/chain/chain.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}
const verify = (): Promise<Ran> =>
  promisify(execFile)(process.execPath, [builtServer(join(import.meta.dirname, '../..'), 'verify')], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl, DATA_DIR: app.folder },
  }).then(
    (said) => ({ code: 0, ...said }),
    (error: Ran) => error,
  );

test(
  'the verify command exits with 0 on an intact chain, and with 1 and the place of a changed row',
  { timeout: 300_000 },
  async () => {
    for (const name of ['甲', '乙', '丙'])
      await app.admin.get(access.addMenu, { body: { name, web_path: `/verify-${name.codePointAt(0)}` } });
    while (await app.services.databases.write(sealLogs));
    const whole = await verify();
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(whole.stdout).toMatch(/完好。链首 \d+:[0-9a-f]{64}\n$/);

    const { rows } = await app.services.databases.pool.query(
      `select id, seal from log where title = '乙' and seal is not null`,
    );
    expect(rows).toHaveLength(1);
    const address = Object.assign(new URL(inject('databaseAdminUrl')), {
      pathname: new URL(app.databaseUrl).pathname,
    });
    const intruder = new pg.Client(address.href);
    await intruder.connect();
    await intruder.query(`set session_replication_role = replica; update log set title = '丁' where title = '乙'`);
    await intruder.end();
    const broken = await verify();
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain(`第一处断点：操作日志链上第 ${rows[0].seal} 条（记录 ${rows[0].id}）`);
    expect(broken.stdout).not.toContain('完好');
  },
);
