import { afterAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { folders } from './contract.ts';
import { paperTask } from './telling.ts';
import { every, openLibrary } from './testing/library.ts';

const { office, party, author, staff, write, change, read, confirm, titles } = await openLibrary();
afterAll(() => office.close());

test('a must-read paper stays on the badge until it was opened and confirmed, and urging reaches only the rest', async () => {
  const hall = await office.dept('礼堂');
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
  expect(readers).toEqual({
    total: 2,
    read: 1,
    confirmed: 1,
    depts: [
      {
        dept_id: hall,
        dept_name: '礼堂',
        total: 2,
        read: 1,
        confirmed: 1,
        done: [{ id: quick.userId, alias: expect.any(String) }],
        unread: [{ id: slow.userId, alias: expect.any(String) }],
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

test('whoever has not confirmed hears of the deadline three days, one day and on the day before it, once each', async () => {
  const hall = await office.dept('体育馆');
  const [done, late] = [await staff(hall), await staff(hall)];
  const id = await write({ title: '防汛预案', must_read: true, read_deadline: '2030-06-10', scope: { depts: [hall] } });
  await read(done, id);
  await confirm(done, id);
  const task = paperTask(office.services.databases);
  const heard = async (day: string) => {
    const job = { attempt: 1, now: new Date(`${day}T08:20:00+08:00`) };
    await task.run(null, job);
    await task.run(null, job);
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

test('the writer of a paper that expires within sixty days is asked once what shall become of it', async () => {
  const writer = await office.clerk({ 'folder/papers': [...every] }, { dept: party });
  await write({ title: '试行办法', expire_date: '2031-08-01' }, writer);
  const task = paperTask(office.services.databases);
  for (const day of ['2031-05-01', '2031-06-20', '2031-06-21'])
    await task.run(null, { attempt: 1, now: new Date(`${day}T08:20:00+08:00`) });
  expect((await titles(writer)).filter((title) => title.startsWith('制度文件即将失效'))).toEqual([
    '制度文件即将失效：试行办法',
  ]);
});
