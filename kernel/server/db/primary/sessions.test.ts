import { afterEach, describe, expect, inject, test } from 'vitest';
import { openPgbouncer } from '../../testing/pgbouncer.ts';
import { openPooler, type Pooler } from '../../testing/pooler.ts';
import { refusePooled } from './sessions.ts';

let pooler: Pooler;
afterEach(() => pooler.close());

test('a connection pooler in transaction mode is refused at start with one sentence, every time', async () => {
  pooler = await openPooler(inject('databaseUrl'));
  for (let start = 0; start < 3; start++)
    await expect(refusePooled(pooler.url)).rejects.toThrow(/按事务分配连接的连接池.*没有启动：请改为直连数据库/);
});

test('a connection pooler in session mode that passes settings on is accepted, and so is a direct connection', async () => {
  pooler = await openPooler(inject('databaseUrl'), true);
  await refusePooled(pooler.url);
  await refusePooled(inject('databaseUrl'));
});

describe.skipIf(process.env['CLUSTER'] !== '1')('Debian’s PgBouncer (only with CLUSTER=1)', () => {
  const settings = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
  const atStart = async (mode: 'session' | 'transaction', ignored: string) => {
    pooler = await openPgbouncer(inject('databaseUrl'), mode, { ignore_startup_parameters: ignored });
    return refusePooled(pooler.url);
  };

  test('in transaction mode is refused, though it silently ignores the settings', async () => {
    await expect(atStart('transaction', settings)).rejects.toThrow(/按事务分配连接的连接池.*没有启动/);
  });

  test('in session mode is refused as well, because it rejects or ignores the settings', async () => {
    await expect(atStart('session', '')).rejects.toThrow(/不转交会话的设置.*没有启动：请改为直连数据库/);
    await pooler.close();
    await expect(atStart('session', settings)).rejects.toThrow(/不转交会话的设置.*没有启动：请改为直连数据库/);
  });
});
