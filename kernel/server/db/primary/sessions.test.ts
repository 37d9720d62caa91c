import { afterEach, describe, expect, inject, test } from 'vitest';
import { openPgbouncer } from '../../testing/pgbouncer.ts';
import { openPooler, type Pooler } from '../../testing/pooler.ts';
import { refusePooled } from './sessions.ts';

let pooler: Pooler;
afterEach(() => pooler.close());

test('a pool that hands out sessions by the transaction is refused at the start in one sentence, each time', async () => {
  pooler = await openPooler(inject('databaseUrl'));
  for (let start = 0; start < 3; start++)
    await expect(refusePooled(pooler.url)).rejects.toThrow(/按事务分配连接的连接池.*没有启动：请改为直连数据库/);
});

test('one that keeps a session as long as the connection is taken, and so is the server itself', async () => {
  pooler = await openPooler(inject('databaseUrl'), true);
  await refusePooled(pooler.url);
  await refusePooled(inject('databaseUrl'));
});

describe.skipIf(process.env['CLUSTER'] !== '1')('with Debian’s PgBouncer and CLUSTER=1 (skipped without it)', () => {
  const settings = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
  const atStart = async (mode: 'session' | 'transaction', ignored: string) => {
    pooler = await openPgbouncer(inject('databaseUrl'), mode, { ignore_startup_parameters: ignored });
    return refusePooled(pooler.url);
  };

  test('by the transaction it is refused, though it lets the settings pass unheard', async () => {
    await expect(atStart('transaction', settings)).rejects.toThrow(/按事务分配连接的连接池.*没有启动/);
  });

  test('by the session it is refused as well, for what it does with the settings: at once, or unheard', async () => {
    await expect(atStart('session', '')).rejects.toThrow(/不转交会话的设置.*没有启动：请改为直连数据库/);
    await pooler.close();
    await expect(atStart('session', settings)).rejects.toThrow(/不转交会话的设置.*没有启动：请改为直连数据库/);
  });
});
