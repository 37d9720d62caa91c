import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { calls, nextWeek, openLeaders } from './testing/house.ts';

// Schedules that repeat weekly.
let house: Awaited<ReturnType<typeof openLeaders>>;
beforeAll(async () => {
  house = await openLeaders();
});
afterAll(() => house.app.close());

const at = (weekday: number, from: string, to: string) => ({
  start_time: `${nextWeek(weekday)} ${from}`,
  end_time: `${nextWeek(weekday)} ${to}`,
});
/** Writes an entry on a weekday and repeats it in the weeks after it. */
async function repeated(weekday: number, weeks: number, more: object): Promise<number> {
  const { id } = await house.written(house.secretary, { ...at(weekday, '09:00', '10:00'), ...more });
  const copied = await house.secretary.get(calls.copy, { body: { ids: [id], date: nextWeek(weekday + 7), weeks } });
  expect(copied).toMatchObject({ made: weeks, left: [] });
  return id;
}
const rows = async (title: string) =>
  (
    await house.secretary.get(calls.list, {
      query: { search_value: title, category: 'side', order_by: 'start_time', desc: false, per_page: 50 } as never,
    })
  ).value;
const told = async (title: string) => (await house.titles(house.staff)).filter((one) => one === title);
const said = async (title: string) =>
  (await house.app.db.execute<{ content: string }>(sql`select content from msg where title = ${title}`)).rows.map(
    ({ content }) => content,
  );
const escort = () => ({ escort: [house.staff.username] });

test('a weekly schedule is moved from one week on, with one message to each person; a week that is taken stays and is named', async () => {
  const id = await repeated(3, 4, { title: '每周碰头', ...escort() });
  expect((await house.get(house.secretary, id)).later).toBe(4);
  await house.written(house.clerk, { ...at(24, '11:00', '12:00'), title: '挡路的会' });
  const [, second, , fourth] = await rows('每周碰头');
  expect((await house.get(house.secretary, second!.id)).later).toBe(3);
  const { data, msg } = await house.edit(house.secretary, second!.id, {
    ...at(10, '11:00', '12:00'),
    address: '小会议室',
    scope: 'following',
  });
  expect(msg).toBeTruthy();
  expect(data).toMatchObject({ left: [{ id: fourth!.id, msg: expect.stringContaining('挡路的会') as string }] });
  const times = (await rows('每周碰头')).map((row) => [row.start_time.slice(0, 16), row.address]);
  expect(times).toEqual([
    [`${nextWeek(3)} 09:00`, '行政楼 301'],
    [`${nextWeek(10)} 11:00`, '小会议室'],
    [`${nextWeek(17)} 11:00`, '小会议室'],
    [`${nextWeek(24)} 09:00`, '行政楼 301'],
    [`${nextWeek(31)} 11:00`, '小会议室'],
  ]);
  expect(await told('日程变更：每周碰头')).toHaveLength(1);
  expect(await said('日程变更：每周碰头')).toEqual([
    expect.stringMatching(/^共 3 周：由 [^；]+；由 [^；]+；由 [^；]+$/) as string,
  ]);
});

test('a clash that somebody keeps in one week stands for that week alone; a later week that clashes as well stays and is named', async () => {
  await repeated(2, 1, { title: '每周会商' });
  await house.written(house.clerk, { ...at(2, '14:00', '15:00'), title: '眼前的会' });
  await house.written(house.clerk, { ...at(9, '14:00', '15:00'), title: '以后的会' });
  const [first, second] = await rows('每周会商');
  const body = { ...at(2, '14:00', '15:00'), scope: 'following' };
  expect((await house.edit(house.secretary, first!.id, body)).code).toBe(codes.conflict);
  const { data } = await house.edit(house.secretary, first!.id, { ...body, force: true });
  expect(data).toMatchObject({ left: [{ id: second!.id, msg: expect.stringContaining('以后的会') as string }] });
  expect((await rows('每周会商')).map((row) => row.start_time.slice(0, 16))).toEqual([
    `${nextWeek(2)} 14:00`,
    `${nextWeek(9)} 09:00`,
  ]);
});

test('a change from one week on leaves in the later weeks what was not changed, and their files', async () => {
  const id = await repeated(4, 2, { title: '每周例会', ...escort() });
  const [, second, third] = await rows('每周例会');
  expect((await house.edit(house.secretary, third!.id, { remark: '第三周另带材料' })).code).toBe(0);
  const shown = await house.get(house.secretary, second!.id);
  const same = { remark: shown.remark, participants: shown.participants, materials: [] };
  const body = { ...same, title: '每周例会（改）', remind: [15] };
  expect((await house.edit(house.secretary, second!.id, { ...body, scope: 'following' })).code).toBe(0);
  const kept = await Promise.all([id, second!.id, third!.id].map((one) => house.get(house.secretary, one)));
  expect(kept.map((row) => [row.title, row.remark, row.remind])).toEqual([
    ['每周例会', '', [60]],
    ['每周例会（改）', '', [15]],
    ['每周例会（改）', '第三周另带材料', [15]],
  ]);
});

test('a weekly schedule is cancelled for one week, or from one week on with one message to each person', async () => {
  const id = await repeated(5, 4, { title: '每周调度', ...escort() });
  const [, second, third] = await rows('每周调度');
  const cancel = (which: number, scope?: 'following') =>
    house.secretary.get(calls.cancel, { params: { id: which }, body: { reason: '调整', scope } as never });
  expect(await cancel(second!.id)).toMatchObject({ left: [] });
  expect((await house.get(house.secretary, id)).later).toBe(3);
  expect(await cancel(third!.id, 'following')).toMatchObject({ left: [] });
  expect((await rows('每周调度')).map((row) => row.run_status)).toEqual([0, 3, 3, 3, 3]);
  expect(await told('日程取消：每周调度')).toHaveLength(2);
  expect(await said('日程取消：每周调度')).toContainEqual(expect.stringMatching(/^共 3 周：.+ 取消：调整$/) as string);
  expect((await house.get(house.secretary, id)).later).toBe(0);
});

test('weeks that somebody asks a leader for are each decided, and are no part of a repeat', async () => {
  const id = await repeated(6, 1, { title: '公开的周会', visibility: 1 });
  const copied = await house.head.get(calls.copy, { body: { ids: [id], date: nextWeek(20), weeks: 1 } });
  expect(copied).toMatchObject({ made: 1 });
  const asked = (await rows('公开的周会')).at(-1)!;
  expect(asked.act_state).toBe(1);
  const { rows: found } = await house.app.db.execute(sql`select series_id from leader_schedule where id = ${asked.id}`);
  expect(found).toEqual([{ series_id: null }]);
  expect((await house.get(house.secretary, id)).later).toBe(1);
});
