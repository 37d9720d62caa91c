import { afterAll, expect, test } from 'vitest';
import { links } from '#modules/platform/links/contract.ts';
import { notAllowed, notTheirs, ownReport } from './contract/refusals.ts';
import { openSupervision } from './testing/house.ts';

const house = await openSupervision();
const { app, clerk, inDays, staff, colleague, head, librarian, stranger, principal, sql } = house;
const { create, issue, get, run, report, check, reach, put, part, sub, items, subs, progress, sheets, requests } =
  house;
afterAll(app.close);

test('an item is issued with parts, owners and deadlines, and its first plan is kept from then on', async () => {
  const bare = await create({ subs: [], due_at: null });
  expect((await issue(bare)).msg).toBe('还不能下发：没有时限；没有子任务。请补充后再下发');
  const late = await create({ subs: [sub({ due_at: inDays(40) })] });
  expect((await issue(late)).msg).toContain('晚于事项的时限');
  const { id } = await run();
  const shown = await get(id);
  expect(shown).toMatchObject({ status: 1, light: 1, subs_total: 1, title: '宿舍安全整改' });
  expect(shown.first_due_at).toBe(shown.due_at);
  expect(shown.plans.map((plan) => plan.reason)).toEqual(['首次计划', '首次计划']);
  expect((await issue(id)).msg).toContain('“宿舍安全整改”“办理中”，现在不能交办');
  const { value } = await staff.get(sheets.list, { query: { supervise_id: id } });
  expect(value).toMatchObject([{ colour: 0, owner_info: { alias: '张三' } }]);
  expect(await house.news(staff, '督办任务')).toHaveLength(1);
});

test('a part can be removed from a draft item, and not from an issued one', async () => {
  const id = await create({ subs: [sub(), sub({ title: '走访检查' })] });
  const drop = (one: number) => clerk.ask(subs.remove, { params: { id: one } });
  const parts = async () => (await get(id)).subs.map((one) => one.id);
  const [first, second] = await parts();
  expect((await drop(first!)).code).toBe(0);
  expect(await parts()).toEqual([second]);
  expect((await issue(id)).code).toBe(0);
  expect((await drop(second!)).code).not.toBe(0);
  expect(await parts()).toEqual([second]);
});

test('an item not yet issued is deleted with its parts by its author or supervisor, and an issued one is not', async () => {
  const remove = (id: number, who = clerk) => who.ask(items.remove, { params: { id } });
  const second = await house.hire('督办二', { roles: ['supervise_admin'] });
  const id = await create({ title: '不办了的事项', supervisor: second.userId });
  const [one] = (await get(id)).subs.map((row) => row.id);
  for (const who of [staff, colleague, head]) expect((await remove(id, who)).code, who.username).not.toBe(0);
  expect(await get(id)).toMatchObject({ title: '不办了的事项' });
  expect(await remove(id, second)).toMatchObject({ code: 0, msg: '已删除' });
  expect((await clerk.ask(items.get, { params: { id } })).code).toBe(4004);
  expect((await clerk.ask(subs.get, { params: { id: one! } })).code).toBe(4004);
  expect((await clerk.get(items.list, { query: { search_value: '不办了的事项' } })).total).toBe(0);
  expect((await issue(id)).code).toBe(4004);
  expect((await remove(await create())).code).toBe(0);
  const { id: issued } = await run();
  expect((await remove(issued)).msg).toContain('“宿舍安全整改”“办理中”，现在不能删除');
  expect(await get(issued)).toMatchObject({ status: 1 });
});

test('the owner’s first opening signs for a part once, from either of two devices, and nobody else’s does', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  await get(id, head);
  await part(one!, clerk);
  expect((await part(one!)).status).toBe(0);
  const unopen = () => staff.get(subs.unopen, { query: {} });
  expect((await unopen()).value.map((row) => row.id)).toContain(one);
  expect((await get(id)).unopened.map((card) => card.alias)).toEqual(['张三']);
  await Promise.all([part(one!, staff), get(id, staff), part(one!, staff)]);
  const shown = await part(one!);
  expect(shown).toMatchObject({ status: 1, opened_at: expect.any(String) as string });
  expect((await unopen()).value.map((row) => row.id)).not.toContain(one);
  expect((await get(id)).unopened).toEqual([]);
  await part(one!, staff);
  expect((await part(one!)).opened_at).toBe(shown.opened_at);
});

test('only accepted percentages count; a decrease needs a reason, and 100 comes only with the request for completion', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  await reach(one!, 60);
  expect(await get(id)).toMatchObject({ progress: 60 });
  const waiting = await report(one!, 80);
  expect((await get(id)).progress).toBe(60);
  expect((await report(one!, 90)).msg).toContain('上次反馈的审核还没有处理');
  await check(waiting.data.id, 2);
  expect((await get(id)).progress).toBe(60);
  expect((await report(one!, 50)).msg).toBe('完成比例由已认可的 60% 降为 50%须填写原因，请补充后再提交');
  expect((await report(one!, 100, { is_finish: false })).msg).toContain('应同时申请完成');
  expect((await report(one!, 50, { reason: '返工' })).code).toBe(0);
});

test('simultaneous checks of thirty parts leave the item’s percentage exact, and finish it once', async () => {
  const many = Array.from({ length: 30 }, (_none, at) => sub({ title: `第 ${at + 1} 项`, weight: at + 1 }));
  const { id, subs: ids } = await run({ subs: many });
  const half = await Promise.all(ids.slice(0, 15).map((one) => report(one, 40)));
  await Promise.all(half.map((one) => check(one.data.id)));
  const weights = many.map((one) => (one as unknown as { weight: number }).weight);
  const sum = (of: number[]) => of.reduce((a, b) => a + b, 0);
  expect((await get(id)).progress).toBe(Math.round((40 * sum(weights.slice(0, 15))) / sum(weights)));
  const rest = await Promise.all(ids.map((one) => report(one, 100)));
  await Promise.all(rest.flatMap((one) => [check(one.data.id), check(one.data.id)]));
  expect(await get(id)).toMatchObject({ progress: 100, status: 2, subs_done: 30 });
  expect((await house.news(clerk, '宿舍安全整改')).filter((one) => one.title.startsWith('督办事项：'))).toHaveLength(1);
}, 180_000);

test('two supervisors who check one report at once decide it once', async () => {
  const {
    subs: [one],
  } = await run();
  const { data } = await report(one!, 30);
  const answers = await Promise.all([check(data.id, 1), check(data.id, 2, principal)]);
  expect(answers.map((answer) => answer.code).toSorted((a, b) => b - a)).toEqual([4010, 0]);
  expect(answers.find((answer) => answer.code !== 0)!.msg).toMatch(/已由(督办员|陈校长)处理/);
});

test('nobody checks their own report, also as delegate, co-owner or leader', async () => {
  const {
    subs: [own],
  } = await run({ leader: principal.userId, subs: [sub({ owner: clerk.userId })] });
  const { data } = await report(own!, 30, {}, clerk);
  expect(await check(data.id)).toRefuse(ownReport, '“整改宿舍线路”');
  const {
    subs: [helped],
  } = await run({ leader: principal.userId, subs: [sub({ co_users: [principal.userId] })] });
  const second = await report(helped!, 30);
  expect(await check(second.data.id, 1, principal)).toRefuse(ownReport, '“整改宿舍线路”');
  const {
    id: third,
    subs: [owned],
  } = await run({ owner: clerk.userId, leader: principal.userId });
  const answer = await report(owned!, 30);
  expect((await check(answer.data.id)).code).toBe(4003);
  expect((await check(answer.data.id, 1, principal)).code).toBe(0);
  await sql(
    `insert into stand_in (from_id, to_id, starts_at, ends_at) values ($1, $2, now() - interval '1 hour', now() + interval '1 day')`,
    [staff.userId, clerk.userId],
  );
  const {
    subs: [away],
  } = await run({ leader: principal.userId });
  const instead = await report(away!, 20, {}, clerk);
  expect(instead.code).toBe(0);
  const [row] = (await principal.get(progress.list, { query: { sub_id: away! } })).value;
  expect(row).toMatchObject({ reporter_info: { alias: '督办员' }, reporter_for_info: { alias: '张三' } });
  expect((await check(instead.data.id)).code).toBe(4003);
  expect((await check(instead.data.id, 1, principal)).code).toBe(0);
  await sql('delete from stand_in');
  expect(third).toBeGreaterThan(0);
});

test('a person who sees one part sees the item’s title and state, but not reports of other departments', async () => {
  const secret = '图书馆的机密进展';
  const {
    id,
    subs: [ours, theirs],
  } = await run({
    title: '全校消防检查',
    subs: [sub(), sub({ title: '图书馆自查', owner: stranger.userId, dept: house.elsewhere })],
  });
  await report(theirs!, 30, { content: secret }, stranger);
  const shown = await get(id, staff);
  expect(shown).toMatchObject({ title: '全校消防检查', status: 1, subs: [{ id: ours }] });
  const seen = async (who: typeof staff) =>
    JSON.stringify(await who.get(progress.list, { query: { supervise_id: id } }));
  expect(await seen(staff)).not.toContain(secret);
  expect(await seen(librarian)).toContain(secret);
  expect(await seen(clerk)).toContain(secret);
  expect((await colleague.ask(items.get, { params: { id } })).code).toBe(4004);
  await put(clerk, items.update, id, { is_public: true });
  const open = await get(id, colleague);
  expect(open).toMatchObject({
    title: '全校消防检查',
    content: '',
    owner_info: null,
    actions: [],
    subs: [{ content: '' }, { content: '' }],
  });
  expect(await seen(colleague)).not.toContain(secret);
});

test('a part is found by its own title, by its item’s title, by its number, and by combinations', async () => {
  const {
    id,
    subs: [one],
  } = await run({ title: '校园绿化', subs: [sub({ title: '补种银杏树' })] });
  const { sn } = await get(id);
  const found = async (search_value: string) =>
    (await staff.get(subs.list, { query: { mine: true, search_value } as never })).value.map((row) => row.id);
  for (const words of ['银杏', '补种银杏树', '校园绿化', sn, '绿化 银杏'])
    expect(await found(words), words).toEqual([one]);
  expect(await found('绿化 松树')).toEqual([]);
});

test('people outside a public item see only what its list row shows, neither its text nor its people', async () => {
  const {
    id,
    subs: [one],
  } = await run({
    title: '公开的督办',
    content: '机密处分 ZYXCANARY',
    requirement: '',
    is_public: true,
    owner: head.userId,
    leader: principal.userId,
  });
  const finds = async (who: typeof staff, asked: object) =>
    (await who.get(items.list, { query: { per_page: 100, ...asked } as never })).value.map((row) => row.id);
  const parts = async (who: typeof staff, words: string) =>
    (await who.get(subs.list, { query: { per_page: 100, search_value: words } as never })).value.map((row) => row.id);
  const linked = async (who: typeof staff, words: string) =>
    (await who.get(links.candidates, { query: { module: 'supervision', search_value: words } })).map((card) => card.id);
  const { sn, ...shown } = await get(id, stranger);
  for (const words of ['公开 督办', sn, 'ＤＢ']) expect(await finds(stranger, { search_value: words })).toContain(id);
  for (const words of ['ZYXCANARY', '机密处分', '公开 处分']) {
    expect(await finds(clerk, { search_value: words })).toContain(id);
    expect(await finds(stranger, { search_value: words })).not.toContain(id);
    expect(await parts(clerk, words)).toContain(one);
    expect(await parts(stranger, words)).not.toContain(one);
    expect(await linked(clerk, words)).toContain(id);
    expect(await linked(stranger, words)).not.toContain(id);
  }
  for (const asked of [{ owner: head.userId }, { leader: principal.userId }, { supervisor: clerk.userId }]) {
    expect(await finds(clerk, asked)).toContain(id);
    expect(await finds(stranger, asked)).not.toContain(id);
  }
  expect(shown).toMatchObject({ owner: null, leader: null, supervisor: null, creator_info: null, finish_info: null });
  const told = async (who: typeof staff) =>
    (await who.get(links.timeline, { query: { module: 'supervision', id } })).value.map(({ who, what }) => [who, what]);
  expect(await told(clerk)).toEqual([['督办员', '督办事项交办']]);
  expect(await told(stranger)).toEqual([['', '督办事项交办']]);
});

test('a person mentioned in an opinion reads it, and mentioning people without access is refused by name', async () => {
  const {
    id,
    subs: [ours],
  } = await run({ subs: [sub(), sub({ title: '图书馆自查', owner: stranger.userId, dept: house.elsewhere })] });
  const speak = (sub_id: number | null, at_users: number[]) =>
    staff.ask(house.opinions.create, {
      body: { supervise_id: id, sub_id, type: 3, content: '只说给参与的人', at_users },
    });
  expect(await speak(ours!, [head.userId, stranger.userId, colleague.userId])).toRefuse(
    notTheirs,
    ['外人', '孙八'],
    '“整改宿舍线路”',
  );
  const heard = async () => {
    const { rows } = await sql(`select from msg_user r join msg m on m.id = r.msg_id
      where r.user_id = ${stranger.userId} and m.content like '%只说给参与的人%'`);
    return rows;
  };
  expect(await heard()).toHaveLength(0);
  expect((await speak(ours!, [head.userId])).code).toBe(0);
  expect((await speak(null, [stranger.userId])).code).toBe(0);
  expect(await heard()).toHaveLength(1);
});

test('editing or moving an item changes none of its parts, and its deadline is never before theirs', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  await reach(one!, 40);
  const before = await part(one!);
  expect((await put(clerk, items.update, id, { title: '新的标题', level: 2, co_depts: [house.elsewhere] })).code).toBe(
    0,
  );
  expect((await put(clerk, items.update, id, { due_at: inDays(50) })).msg).toBe('调整时限须填写原因，请补充后再提交');
  expect((await put(clerk, items.update, id, { due_at: inDays(50), due_reason: '工程延期' })).code).toBe(0);
  expect((await put(clerk, items.update, id, { due_at: inDays(10), due_reason: '提前' })).msg).toContain(
    '早于子任务“整改宿舍线路”的时限',
  );
  const { supervise_title: _title, level: _level, ...after } = await part(one!);
  expect(before).toMatchObject(after);
  await expect(sql(`update supervise set due_at = now() where id = $1`, [id])).rejects.toThrow(
    'a part is due after its item',
  );
});

test('a moved deadline keeps its first day, who moved it and why', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  const first = (await part(one!)).due_at;
  const request = await staff.ask(requests.create, {
    body: { sub_id: one!, kind: 1, reason: '材料未到', done_so_far: '完成一半', apply_due: inDays(25) } as never,
  });
  expect((await put(clerk, requests.check, request.data.id, { result: 1, opinion: '同意' })).code).toBe(0);
  const shown = await get(id);
  expect(shown.subs[0]).toMatchObject({ first_due_at: first, due_at: `${inDays(25)}:00` });
  expect(shown.plans[0]).toMatchObject({
    sub_id: one,
    due_from: first,
    reason: '延期：材料未到',
    by_info: { alias: '督办员' },
  });
  const { value } = await clerk.get(subs.list, { query: { supervise_id: id } });
  expect(value[0]).toMatchObject({ first_due_at: first });
});

test('a refusal to act on an item names the people who may act', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  expect(await put(staff, items.terminate, id, { reason: '不做了' })).toRefuse(
    notAllowed,
    '“宿舍安全整改”',
    '办理中',
    '终止',
    '督办人或批示领导（紧急事项由批示领导；承办的人除外）',
  );
  expect((await report(one!, 10, {}, clerk)).msg).toContain('反馈进展由责任人或协办人');
  expect((await staff.ask(items.create, { body: house.input() as never })).code).toBe(4003);
});

test('the leader of an item must be a leader, also in a change', async () => {
  const { staff, principal, clerk } = house;
  const refused = { code: -1, msg: '“张三”不是校领导或分管领导，不能作为批示领导，请另选' };
  const made = await clerk.ask(items.create, { body: house.input({ leader: staff.userId }) as never });
  expect(made).toMatchObject(refused);
  const id = await house.create({ leader: principal.userId });
  expect(await house.put(clerk, items.update, id, { leader: staff.userId })).toMatchObject(refused);
  expect((await house.put(clerk, items.update, id, { leader: house.leader.userId })).code).toBe(0);
});
