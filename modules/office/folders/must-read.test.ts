import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Client } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { folders } from './contract.ts';
import { paperTask } from './reading/notify.ts';
import { every, openLibrary } from './testing/house.ts';

const { office: app, party, author, staff, write, change, read, confirm, titles } = await openLibrary();
afterAll(() => app.close());
const task = paperTask(app.services.databases);
const morning = (day: string) => task.run(null, { attempt: 1, now: new Date(`${day}T08:20:00+08:00`) });

test('a must-read regulation stays on the badge until opened and confirmed, and urging reaches only those still to confirm', async () => {
  const hall = await app.dept('礼堂');
  const [quick, slow] = [await staff(hall), await staff(hall)];
  const id = await write({ title: '消防须知', must_read: true, scope: { depts: [hall] } });
  const badge = async (who: Client) =>
    (await who.get(folders.papers, { query: { to_confirm: true, search_value: '消防' } })).total;
  expect([await badge(quick), await titles(quick)]).toEqual([1, ['必读文件：消防须知']]);
  expect((await confirm(quick, id)).msg).toBe('请先打开文件阅读，再确认已读');
  expect(await read(quick, id)).toMatchObject({ times: 1, to_confirm: true, readers: null });
  expect(await badge(quick)).toBe(1);
  expect((await confirm(quick, id)).code).toBe(0);
  expect((await confirm(quick, id)).code).toBe(0);
  expect([await badge(quick), await titles(quick)]).toEqual([0, []]);
  const { readers } = await author.get(folders.read, { query: { paper_id: id, list: true } });
  const counts = { total: 2, read: 1, done: 1, late: 1 };
  expect(readers).toEqual({
    ...counts,
    to_urge: 1,
    depts: [
      {
        ...counts,
        dept_id: hall,
        dept_name: '礼堂',
        late_people: [{ id: slow.userId, alias: expect.any(String) }],
        other_people: [{ id: quick.userId, alias: expect.any(String) }],
      },
    ],
  });
  const rated = await author.get(folders.papers, { query: { managed: true, search_value: '消防须知' } });
  expect(rated.value).toMatchObject([{ read_rate: 50, read_count: 1 }]);
  expect((await slow.ask(folders.read, { query: { paper_id: id, list: true } })).code).toBe(4003);
  const urge = (who: Client) => who.ask(folders.answer, { body: { paper_id: id, urge: true } });
  expect((await urge(slow)).code).toBe(4003);
  expect((await urge(author)).data).toEqual({ count: 1 });
  expect(await titles(slow)).toEqual(['请尽快阅读：消防须知', '必读文件：消防须知']);
  expect(await titles(quick)).toEqual([]);
  await change(id, { must_read: false });
  expect([await badge(slow), await titles(slow)]).toEqual([0, []]);
});

test('a reader who has not confirmed is reminded once each three days, one day and on the day before the deadline', async () => {
  const hall = await app.dept('体育馆');
  const [done, late] = [await staff(hall), await staff(hall)];
  const id = await write({ title: '防汛预案', must_read: true, read_deadline: '2030-06-10', scope: { depts: [hall] } });
  await read(done, id);
  await confirm(done, id);
  const heard = async (day: string) => {
    await morning(day);
    await morning(day);
    return (await titles(late)).length;
  };
  expect(await heard('2030-06-06')).toBe(1);
  expect(await heard('2030-06-07')).toBe(2);
  expect(await heard('2030-06-08')).toBe(2);
  expect(await heard('2030-06-09')).toBe(3);
  expect(await heard('2030-06-10')).toBe(4);
  expect(await heard('2030-06-11')).toBe(4);
  expect((await titles(late))[0]).toBe('必读文件今天到期：防汛预案');
  expect(await titles(done)).toEqual([]);
});

test('the author of a regulation expiring within sixty days is asked once what should become of it', async () => {
  const writer = await app.clerk({ 'folder/papers': [...every] }, { dept: party });
  await write({ title: '试行办法', expire_date: '2031-08-01' }, writer);
  for (const day of ['2031-05-01', '2031-06-20', '2031-06-21']) await morning(day);
  expect((await titles(writer)).filter((title) => title.startsWith('制度文件即将失效'))).toEqual([
    '制度文件即将失效：试行办法',
  ]);
});

test('a moved reading deadline is announced again at each stage, and notices of the old one are withdrawn', async () => {
  const hall = await app.dept('游泳馆');
  const [done, late] = [await staff(hall), await staff(hall)];
  const id = await write({ title: '救生规程', must_read: true, read_deadline: '2030-07-10', scope: { depts: [hall] } });
  await read(done, id);
  await confirm(done, id);
  const heard = async () =>
    (await late.get(messages.unread)).value.map(({ id: message, title }) => [message, title] as const);
  const saying = async () => {
    const [first] = await heard();
    return (await late.get(messages.get, { params: { id: first![0] } })).content;
  };
  await morning('2030-07-07');
  const old = await heard();
  expect(old.map(([, title]) => title)).toEqual(['必读文件 3 天内到期：救生规程', '必读文件：救生规程']);
  await change(id, { top: true });
  expect(await heard()).toEqual(old);
  await change(id, { read_deadline: '2030-08-10' });
  expect((await heard()).map(([, title]) => title)).toEqual(['必读文件：救生规程']);
  expect(await saying()).toContain('请于 2030-08-10 前阅读');
  await morning('2030-07-10');
  for (const day of ['2030-08-07', '2030-08-09', '2030-08-10']) await morning(day);
  expect(await titles(late)).toEqual(
    ['必读文件今天到期', '必读文件 1 天内到期', '必读文件 3 天内到期'].map((title) => `${title}：救生规程`),
  );
  expect(await titles(done)).toEqual([]);
});

test('moving an expiry date withdraws the question about it and asks again before the new date', async () => {
  const writer = await app.clerk({ 'folder/papers': [...every] }, { dept: party });
  const id = await write({ title: '暂行规定', expire_date: '2032-08-01' }, writer);
  const asked = async () => (await titles(writer)).filter((title) => title.startsWith('制度文件即将失效')).length;
  await morning('2032-06-20');
  expect(await asked()).toBe(1);
  await change(id, { expire_date: '2033-08-01' }, writer);
  expect(await asked()).toBe(0);
  await morning('2032-07-30');
  expect(await asked()).toBe(0);
  await morning('2033-06-20');
  expect(await asked()).toBe(1);
  await change(id, { status: 3, repeal_reason: '不再需要', repeal_date: dayOf(new Date()) }, writer);
  expect(await asked()).toBe(0);
});

test('the morning job takes as many statements for many already announced regulations as for one', async () => {
  const hall = await app.dept();
  await staff(hall);
  const some = async (day: string, papers: number) => {
    for (let n = 1; n <= papers; n++)
      await write({
        title: `须知 ${day} ${n}`,
        must_read: true,
        read_deadline: day,
        expire_date: day,
        scope: { depts: [hall] },
      });
    await morning(day);
    // Text messages on the last day are sent by separate jobs, which run queries as well.
    await eventually(async () =>
      expect((await app.db.$client.query(`select 1 from graphile_worker.jobs where run_at <= now()`)).rows).toEqual([]),
    );
    return counted(author, () => morning(day));
  };
  const one = await some('2035-03-01', 1);
  expect(await some('2036-03-01', 4)).toEqual(one);
});
