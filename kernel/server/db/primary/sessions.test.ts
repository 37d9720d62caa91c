import { afterEach, expect, inject, test } from 'vitest';
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
