import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { bulletinCalls, superviseStatistics } from './contract/statistics.ts';
import { noSheets } from './contract/refusals.ts';
import { openSupervision } from './testing/house.ts';

const house = await openSupervision();
const { app, clerk, inDays, staff, colleague, head, librarian, stranger, principal, sql } = house;
const { get, run, report, reach, put, sub, items, subs, progress, sheets, opinions } = house;
afterAll(app.close);

const paperOf = async (who: Client, path: string) => {
  const answer = await who.fetch(path);
  if (answer.headers.get('content-type') !== 'application/pdf') return null;
  const { texts } = await readPaper(Buffer.from(await answer.arrayBuffer()));
  return texts
    .map((one) => one.text)
    .join('')
    .replaceAll(' ', '');
};
const send = (who: Client, body: object) =>
  who.ask(sheets.several, { body: { colour: 2, content: '请书面说明', answer_by: inDays(3), ...body } as never });

test('an item is printed with the parts, deadlines, reports and opinions that its reader may see', async () => {
  const {
    id,
    subs: [one, other],
  } = await run({
    title: '教学楼加固',
    leader: principal.userId,
    subs: [sub({ title: '加固设计' }), sub({ title: '馆藏搬迁', owner: stranger.userId, dept: house.elsewhere })],
  });
  await reach(one!, 40, { content: '图纸已完成', problem: '经费未到', next_plan: '组织评审' });
  await report(other!, 10, { content: '书目清点机密' }, stranger);
  await put(clerk, subs.update, one!, { due_at: inDays(25), due_reason: '评审推迟' });
  await principal.ask(opinions.create, { body: { supervise_id: id, type: 1, content: '抓紧办理' } as never });
  const path = `/api/supervise/${id}/pdf/`;
  const whole = (await paperOf(clerk, path))!;
  for (const words of [
    '督办事项单',
    '教学楼加固',
    '加固设计',
    '馆藏搬迁',
    '图纸已完成',
    '问题：经费未到',
    '0%→40%',
    '抓紧办理',
    '原定',
    '书目清点机密',
  ])
    expect(whole).toContain(words);
  const own = (await paperOf(staff, path))!;
  expect(own).toContain('图纸已完成');
  expect(own).not.toContain('机密');
  expect(own).not.toContain('馆藏搬迁');
  expect(await paperOf(colleague, path)).toBeNull();
  await put(clerk, items.update, id, { is_public: true });
  expect(await paperOf(colleague, path)).toBeNull();
});

test('a notice sheet of each colour is printed with name, number, deadline, signature and answer', async () => {
  const {
    id,
    subs: [one],
  } = await run({ title: '三色督办' });
  const named = { 1: '督办单（蓝）', 2: '督办单（黄）', 3: '督办单（红）' } as const;
  for (const colour of [1, 2, 3] as const) {
    const body = { colour, sub_ids: [one], content: `第 ${colour} 次督办`, answer_by: inDays(3) };
    const [made] = await clerk.get(sheets.issue, { params: { id }, body: body as never });
    const path = `/api/supervise/sheet/${made!.id}/pdf/`;
    const before = (await paperOf(clerk, path))!;
    for (const words of [named[colour], made!.no, '三色督办', `第 ${colour} 次督办`, inDays(3), '张三', '教务处'])
      expect(before).toContain(words.replaceAll(' ', ''));
    expect(before).not.toContain('签收');
    const signer = colour === 2 ? head : staff;
    expect((await put(signer, sheets.receive, made!.id, { answer: `已落实 ${colour}` })).code).toBe(0);
    const after = (await paperOf(staff, path))!;
    for (const words of ['签收', `已落实${colour}`, colour === 2 ? '李四' : '张三']) expect(after).toContain(words);
  }
  const { value } = await staff.get(sheets.list, { query: { supervise_id: id, scope: 'unread' } });
  expect(value.map((row) => row.colour)).toEqual([0]);
  const [white] = value;
  expect(await paperOf(staff, `/api/supervise/sheet/${white!.id}/pdf/`)).toContain('督办通知单');
});

test('sheets for several items go to their parts with that light, all or none, numbered without gaps', async () => {
  const first = await run({ title: '甲事项', subs: [sub(), sub({ title: '甲二' })] });
  const second = await run({ title: '乙事项', subs: [sub({ title: '乙一' })] });
  const ids = [second.id, first.id];
  await sql(`update supervise_sub set red_at = now() - interval '1 hour' where id = any($1)`, [
    [first.subs[1], second.subs[0]],
  ]);
  expect(await send(clerk, { supervise_ids: ids, whom: 3, answer_by: '2001-01-01 08:00' })).toMatchObject({ code: -1 });
  const made = await send(clerk, { supervise_ids: ids, whom: 4 });
  expect(made.data).toHaveLength(2);
  const count = async () =>
    (await sql('select count(*)::int n, max(seq) - min(seq) + 1 span from supervise_sheet')).rows[0] as {
      n: number;
      span: number;
    };
  expect((await count()).n).toBe((await count()).span);
  const yellow = await clerk.get(sheets.list, { query: { colour: 2, per_page: 100 } });
  expect(
    yellow.value
      .filter((row) => ids.includes(row.supervise_id))
      .map((row) => row.sub_title)
      .toSorted(),
  ).toEqual(['乙一', '甲二']);
  expect((await send(clerk, { supervise_ids: ids, whom: 1 })).data).toHaveLength(3);
  // One part that is not theirs to write to refuses all of them.
  const before = await count();
  expect((await send(staff, { supervise_ids: ids, whom: 1 })).code).toBe(4010);
  expect((await send(clerk, { supervise_ids: [...ids, 999_999], whom: 1 })).code).toBe(4004);
  expect(await count()).toEqual(before);
  const calm = await run({ title: '丙事项' });
  expect(await send(clerk, { supervise_ids: [calm.id], whom: 3 })).toRefuse(noSheets);
});

test('a report on a part is hidden from people outside it in every list, count, search, export, link, page, figure and calendar', async () => {
  const song = 'kanarie';
  const other = sub({ title: '外单位任务', content: `${song}task`, owner: stranger.userId, dept: house.elsewhere });
  const text = { title: '多部门事项', content: '公开的要求', subs: [sub(), other] };
  const {
    id,
    subs: [mine, theirs],
  } = await run(text);
  const said = { content: `${song}done`, problem: `${song}problem`, next_plan: `${song}next` };
  await report(theirs!, 30, said, stranger);
  await stranger.ask(opinions.create, {
    body: { supervise_id: id, sub_id: theirs, type: 3, content: `${song}words` } as never,
  });
  await clerk.ask(sheets.issue, {
    params: { id },
    body: { colour: 1, sub_ids: [theirs], content: `${song}sheet`, answer_by: inDays(3) } as never,
  });
  const month = inDays(20).slice(0, 7);
  const heardBy = async (who: Client) => {
    const heard: unknown[] = [];
    const paths = [
      '/api/supervise/?with_subs=1&per_page=100',
      `/api/supervise/?search_value=${song}done`,
      '/api/supervise/?export=xlsx',
      `/api/supervise/${id}/`,
      `/api/supervise/${id}/pdf/`,
      '/api/supervise/sub/?per_page=100',
      `/api/supervise/sub/${theirs}/`,
      '/api/supervise/sub/count/',
      `/api/supervise/sub/progress/?supervise_id=${id}`,
      `/api/supervise/sub/opinion/?supervise_id=${id}`,
      `/api/supervise/sub/request/?supervise_id=${id}`,
      `/api/supervise/sheet/?supervise_id=${id}`,
      '/api/supervise/statistics/',
      `/api/supervise/bulletin/?month=${month}`,
      `/api/links/?module=supervision&id=${id}`,
      `/api/links/timeline/?module=supervision&id=${id}`,
      '/api/msg/user/read/?all=1&per_page=100',
    ];
    for (const path of paths) {
      const answer = await who.fetch(path);
      expect([path, answer.status]).toEqual([path, 200]);
      heard.push(await answer.text());
    }
    const { path } = await who.get(feeds.add, { body: { name: '手机', keys: ['supervision'] } });
    heard.push(await (await app.stranger.fetch(path)).text());
    return JSON.stringify(heard);
  };
  expect(await heardBy(stranger)).toContain(`${song}done`);
  for (const who of [staff, head, colleague]) expect(await heardBy(who)).not.toContain(song);
  expect((await get(id, staff)).subs.map((one) => one.id)).toEqual([mine]);
  // Public: everybody sees both parts, but only their titles and lights.
  await put(clerk, items.update, id, { is_public: true });
  for (const who of [staff, head, colleague]) expect(await heardBy(who)).not.toContain(song);
  expect((await get(id, colleague)).subs).toHaveLength(2);
  const drafted = await clerk.get(bulletinCalls.draft, { body: { month } });
  const draft = JSON.stringify(await clerk.get(documents.get, { params: { id: drafted.id } }));
  expect(draft).toContain('图书馆：应办');
  expect(draft).not.toContain(song);
});

test('the light of a part is the same in list, filter, count, badge, figures, chart and message', async () => {
  const due = { due_at: inDays(80) };
  const lit: Record<number, string> = {
    4: `red_at = now() - interval '2 hours', due_at = now() - interval '2 hours'`,
    3: `yellow_at = now() - interval '2 hours'`,
    2: `blue_at = now() - interval '2 hours'`,
    1: `blue_at = now() + interval '9 days', yellow_at = null`,
  };
  const owner = await house.hire('灯况员');
  const made = new Map<number, number[]>();
  for (const light of [4, 3, 2, 1]) {
    const { id, subs: ids } = await run({
      ...due,
      title: `灯 ${light}`,
      subs: [sub({ title: `灯 ${light}`, owner: owner.userId, due_at: inDays(70) })],
    });
    await sql(`update supervise_sub set ${lit[light]} where id = $1`, [ids[0]]);
    await sql(
      `update supervise i set red_at = least(i.red_at, s.red_at), yellow_at = s.yellow_at, blue_at = s.blue_at from supervise_sub s where s.supervise_id = i.id and i.id = $1`,
      [id],
    );
    made.set(light, [id, ids[0]!]);
  }
  const all = await owner.get(subs.list, { query: { mine: true, per_page: 100 } as never });
  const tally = await owner.get(subs.count);
  const plans = (await clerk.get(items.list, { query: { with_subs: true, per_page: 100 } as never })).value;
  for (const [light, [id, part]] of made) {
    expect(all.value.find((row) => row.id === part)!.light).toBe(light);
    const filtered = await owner.get(subs.list, { query: { mine: true, light, per_page: 100 } as never });
    expect(filtered.value.map((row) => row.id)).toEqual([part]);
    expect((await get(id!)).light).toBe(light);
    const item = plans.find((row) => row.id === id)!;
    expect([item.light, item.subs![0]!.light]).toEqual([light, light]);
    const chosen = await clerk.get(items.list, { query: { light, per_page: 100 } as never });
    expect(chosen.value.every((row) => row.light === light)).toBe(true);
    expect(chosen.value.map((row) => row.id)).toContain(id);
  }
  expect([tally.overdue, tally.behind, tally.near_due, tally.mine]).toEqual([1, 1, 1, 4]);
  const counted = await clerk.get(items.list, { query: { status: 1, per_page: 100 } as never });
  for (const light of [1, 2, 3, 4])
    expect(counted.lights![light] ?? 0).toBe(counted.value.filter((row) => row.light === light).length);
  const red = await clerk.get(superviseStatistics.call, { query: { dim: 'red' } as never });
  expect((red.value as { name: string }[]).map((row) => row.name)).toContain('灯 4');
  expect((red.value as { name: string }[]).map((row) => row.name)).not.toContain('灯 3');
  const found = app.services.product.tasks().find((one) => one.name === 'tell of lights of supervision')!;
  await sql('update supervise_sub set marked_by = (select marked_by from supervise_sub order by id desc limit 1)');
  await found.run({} as never, { now: new Date() } as never);
  const news = (await house.news(owner, '灯'))
    .map((row) => row.title)
    .filter((title) => !title.startsWith('督办任务：'));
  expect(news.toSorted()).toEqual(['督办任务临期：灯 2', '督办任务滞后：灯 3', '督办任务逾期：灯 4']);
});

test('each figure of the bulletin and of the statistics opens a list with as many rows', async () => {
  const month = inDays(20).slice(0, 7);
  const {
    subs: [done],
  } = await run({ title: '通报的事项', subs: [sub({ title: '完成的' }), sub({ title: '没完成的' })] });
  await reach(done!, 100);
  const last = new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).toISOString().slice(0, 10);
  const { value } = await clerk.get(bulletinCalls.bulletin, { query: { month } });
  const period = { due_from: `${month}-01`, due_to: last };
  const behind = async (more: object) => (await clerk.get(subs.list, { query: { ...period, ...more } as never })).total;
  for (const outcome of ['count', 'done', 'on_time', 'late'] as const)
    expect([outcome, await behind({ outcome })]).toEqual([outcome, value[outcome]]);
  for (const dept of value.depts) {
    expect(await behind({ outcome: 'count', dept: dept.id })).toBe(dept.count);
    expect(await behind({ outcome: 'late', dept: dept.id })).toBe(dept.late);
  }
  expect(value.done).toBeGreaterThan(0);
  expect((await librarian.ask(subs.list, { query: { ...period, outcome: 'count' } as never })).code).toBe(0);
  expect((await clerk.get(progress.list, { query: {} })).total).toBeGreaterThan(0);
});

test('list, statistics and bulletin count the same for any parts in any state', async () => {
  const month = inDays(200).slice(0, 7);
  const of = { lead_dept: house.dept, due_at: inDays(300) };
  const { subs: ids } = await run({
    ...of,
    title: '随机的事项',
    subs: Array.from({ length: 24 }, (_none, at) => sub({ title: `随机 ${at}`, due_at: inDays(250) })),
  });
  const fates = fc.sample(
    fc.record({
      status: fc.constantFrom(0, 1, 2, 3, 3, 4, 5),
      day: fc.integer({ min: 1, max: 28 }),
      done: fc.integer({ min: -3, max: 3 }),
      dept: fc.boolean(),
    }),
    ids.length,
  );
  // Whatever became of them, no report says so: here the figures alone are tried.
  await sql('alter table supervise_sub disable trigger supervise_part_follows');
  for (const [at, { status, day, done, dept }] of fates.entries())
    await sql(
      `update supervise_sub set status = $2::int, progress = case when $2::int = 3 then 100 else 40 end, due_at = $3::timestamptz, red_at = $3::timestamptz,
         done_at = case when $2::int = 3 then $3::timestamptz + $4::int * interval '1 day' end, dept = case when $5::boolean then $6::int else dept end where id = $1`,
      [ids[at], status, `${month}-${String(day).padStart(2, '0')} 12:00:00`, done, dept, house.elsewhere],
    );
  const last = new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).toISOString().slice(0, 10);
  const period = { due_from: `${month}-01`, due_to: last };
  const { value: bulletin } = await clerk.get(bulletinCalls.bulletin, { query: { month } });
  const { value: figures } = await clerk.get(superviseStatistics.call, {
    query: { start: `${month}-01`, end: last } as never,
  });
  const { summary } = figures as { summary: Record<string, number> };
  const expected = {
    count: fates.filter((one) => one.status !== 5).length,
    done: fates.filter((one) => one.status === 3).length,
    on_time: fates.filter((one) => one.status === 3 && one.done <= 0).length,
    late: fates.filter((one) => one.status === 3 && one.done > 0).length,
  };
  for (const outcome of ['count', 'done', 'on_time', 'late'] as const) {
    const { total } = await clerk.get(subs.list, { query: { ...period, outcome } as never });
    expect([outcome, total, bulletin[outcome], summary[outcome]]).toEqual([
      outcome,
      ...Array.from({ length: 3 }, () => expected[outcome]),
    ]);
  }
  expect(bulletin.depts.reduce((sum, one) => sum + one.count, 0)).toBe(expected.count);
});
