import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAcknowledgedWrites } from '#kernel/server/live/acknowledged.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { findLostWrites, writeLostWrites } from './lost-writes.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
let folder: string;
beforeAll(async () => {
  app = await openTestApp();
  folder = mkdtempSync(join(tmpdir(), 'gongdan-lost-'));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

test('acknowledged writes that the database lacks are listed for administrators, and no others', async () => {
  await app.admin.get(feeds.add, { body: { name: '手机', keys: ['tickets'] } });
  const { rows } = await app.db.execute<{ trace_id: string; at: string }>(
    sql`select trace_id, left(gmt_created::text, 19) as at from log order by id desc limit 1`,
  );
  const { trace_id: traceId, at } = rows[0]!;
  const acknowledged = createAcknowledgedWrites(3);
  const said = (id: string, what: string) => ({ at, traceId: id, who: '王五', what, path: '/api/tickets/7/handle/' });
  for (const one of ['too-early', 'gone-1']) acknowledged.note(said(one, '办理 工单\n换锁'));
  acknowledged.note({ ...said(traceId, '生成日历地址') });
  acknowledged.note(said('gone-2', '新建'));
  const place = { folder, at: '2026-11-28 10:00:00' };
  const lost = await writeLostWrites(app.services.databases, acknowledged, place);
  expect(lost).toEqual({
    count: 2,
    file: expect.stringContaining(join(folder, 'lost-writes-20261128100000-')) as string,
  });
  expect(readFileSync(lost!.file, 'utf8').split('\n')).toEqual([
    '时间\t操作人\t操作\t地址\t请求编号',
    `${at}\t王五\t办理 工单 换锁\t/api/tickets/7/handle/\tgone-1`,
    `${at}\t王五\t新建\t/api/tickets/7/handle/\tgone-2`,
    '',
  ]);
  expect(statSync(lost!.file).mode & 0o077).toBe(0);
  expect(findLostWrites(folder)).toEqual([lost!.file]);

  const kept = createAcknowledgedWrites();
  kept.note(said(traceId, '生成日历地址'));
  expect(await writeLostWrites(app.services.databases, kept, place)).toBeNull();
});

test('two nodes sharing a folder that find lost writes in the same second leave a list each', async () => {
  const shared = mkdtempSync(join(folder, 'shared-'));
  for (const node of ['first', 'second']) {
    const acknowledged = createAcknowledgedWrites();
    const at = '2026-11-28 09:59:00';
    acknowledged.note({ at, traceId: `of the ${node}`, who: '王五', what: '新建', path: '/api/tickets/' });
    await writeLostWrites(app.services.databases, acknowledged, { folder: shared, at: '2026-11-28 10:00:00' });
  }
  const lists = findLostWrites(shared).map((file) => readFileSync(file, 'utf8'));
  expect(lists).toHaveLength(2);
  for (const node of ['first', 'second']) expect(lists.join('')).toContain(`of the ${node}`);
});
