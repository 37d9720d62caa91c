import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { form, headAgrees, headRefuses, repairCast, save, submit } from './testing/repair.ts';

const app = await openTestApp();
const { staff, head, begin, does, detail, waiting } = await repairCast(app);
afterAll(() => app.close());

test('an action on an older version is refused together with the present ticket', async () => {
  const { id } = await begin({ title: '旧版本' }, save);
  const { version } = await detail(staff, id);
  await does(staff, id, save, { title: '新版本', version });
  const late = await does(staff, id, save, { title: '更旧的', version });
  expect(late.code).toBe(4011);
  expect((late.data as unknown as { current: { title: string } }).current.title).toBe('新版本');
});

test('a decision on a form that has changed since it was read is refused together with the changes', async () => {
  const id = await waiting();
  const seen = await detail(head, id);
  const hash = { seen_hash: seen.seen_hash };
  expect((await detail(staff, id)).seen_hash).not.toBe('');
  await does(head, id, headRefuses);
  expect((await does(staff, id, submit, { ...form, amount: 900, title: '水管又漏水' })).code).toBe(0);
  const refused = await does(head, id, headAgrees, hash);
  expect([refused.code, refused.msg]).toEqual([
    4011,
    '您打开之后，“标题”由“水管漏水”改为“水管又漏水”；“预计金额”由“300”改为“900”，请核对后再提交',
  ]);
  const { changes, current } = refused.data as unknown as { changes: object[]; current: { seen_hash: string } };
  expect(changes).toHaveLength(2);
  expect((await does(head, id, headAgrees, { seen_hash: 'f'.repeat(64) })).msg).toMatch(/表单内容有变化/);
  expect((await does(head, id, headAgrees, { seen_hash: current.seen_hash })).code).toBe(0);
  const { rows } = await app.db.$client.query(
    'select seen_hash from ticket_task where ticket_id = $1 and status = $2',
    [id, 'agree'],
  );
  expect(rows.map((row: { seen_hash: string }) => row.seen_hash)).toContain(current.seen_hash);
});
