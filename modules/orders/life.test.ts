import { afterAll, expect, test } from 'vitest';
import { momentText } from '#kernel/contract/moment.ts';
import { turnClock, type Clocked } from './record/clock.ts';
import { orders } from './contract/orders.ts';
import { resumeOne, tellOfTime } from './jobs.ts';
import { incidentClosed, register as registerIncident } from './service.ts';
import { openOrders } from './testing/house.ts';

const house = await openOrders();
const {
  app,
  staff,
  desk,
  second,
  jia,
  xia,
  fu,
  chief,
  act,
  state,
  get,
  finish,
  walked,
  report,
  done,
  sql,
  news,
  category,
} = house;
afterAll(app.close);

const said = (answer: { bytes: Buffer }) => JSON.parse(answer.bytes.toString()) as { code: number };
const inHours = (hours: number) => momentText(new Date(Date.now() + hours * 36e5)).slice(0, 16);
const write = app.services.databases.write;

test('a rating is given by whoever reported it alone, once with one addition, and nobody changes it afterwards', async () => {
  const id = await walked(60);
  const rate = (who: typeof staff, score: number) =>
    who.ask(orders.comment, { params: { id }, body: { score, content: '好' } as never });
  expect((await rate(jia, 5)).msg).toBe('评价由报修人本人办理');
  expect((await rate(desk, 5)).msg).toBe('评价由报修人本人办理');
  // From two devices at once: one counts, and confirms besides.
  const twice = await Promise.all([rate(staff, 2), rate(staff, 4)]);
  expect(twice.filter((one) => one.code === 0).length).toBeGreaterThan(0);
  const { comments, stage, score } = await get(id);
  expect([stage, comments.filter((one) => !one.is_addition).length, score]).toEqual([80, 1, comments[0]!.score]);
  await rate(staff, 5);
  expect((await rate(staff, 5)).msg).toContain('已追加过评价，评价提交后不能修改');
  expect((await get(id)).score).toBe(score);
  await expect(sql(`update order_comment set score = 5 where order_id = ${id}`)).rejects.toThrow('append-only');
  await expect(sql(`delete from order_comment where order_id = ${id}`)).rejects.toThrow('append-only');
  const own = await report({}, jia);
  await done(act(desk, own, 'assign', { handlers: [jia.userId] }));
  await done(act(jia, own, 'take'));
  await done(finish(jia, own));
  expect((await jia.ask(orders.comment, { params: { id: own }, body: { score: 5 } as never })).msg).toBe(
    '办理过这张订单的人不能评价',
  );
});

test('rework goes back to the same handler under the same number, is counted, and its light is true at once', async () => {
  const id = await walked(60);
  const { sn, finish_met } = await get(id);
  for (const times of [1, 2, 3]) {
    expect((await state(staff, id, 1)).msg).toContain('请说明原因');
    await done(state(staff, id, 1, { remark: '又漏了' }));
    const again = await get(id, jia);
    expect(again).toMatchObject({
      sn,
      stage: 40,
      state: 1,
      handler_name: '贾师傅',
      reopen_count: times,
      light: 1,
      finish_met,
    });
    expect(again.rework_due! > momentText(new Date())).toBe(true);
    await done(finish(jia, id));
  }
  expect((await news(desk, '返工')).length).toBeGreaterThan(0);
});

test('rework of somebody who has left goes to the desk', async () => {
  const gone = await house.hire('临时工', { dept: house.team, roles: ['order_handler'] });
  const id = await report();
  await done(act(desk, id, 'assign', { handlers: [gone.userId] }));
  await done(act(gone, id, 'take'));
  await done(finish(gone, id));
  await sql(`update app_user set is_active = false where id = ${gone.userId}`);
  await done(state(staff, id, 1, { remark: '又坏了' }));
  expect(await get(id)).toMatchObject({ stage: 10, reopen_count: 1 });
});

test('an order is put aside only with a reason and a date to come, its clock stands still, and it comes back by itself once', async () => {
  const id = await walked(40);
  expect((await act(jia, id, 'hang', { hang_kind: 1, hang_until: inHours(5) })).msg).toContain('请填写');
  expect((await act(jia, id, 'hang', { hang_kind: 1, hang_until: inHours(-1), words: '等' })).msg).toContain(
    '已经过去',
  );
  await done(act(jia, id, 'hang', { hang_kind: 1, hang_until: inHours(5), words: '等配件' }));
  expect(await get(id)).toMatchObject({ stage: 50, light: 0, due_at: null, hang_reason: '等配件' });
  const later = new Date(Date.now() + 6 * 36e5);
  const both = await Promise.all([write((tx) => resumeOne(tx, later)), write((tx) => resumeOne(tx, later))]);
  expect(both).toContain(true);
  const back = await get(id);
  expect(back).toMatchObject({ stage: 40, handler_name: '贾师傅' });
  expect(back.events.filter((event) => event.kind === 'resume')).toHaveLength(1);
});

test('changing the level while it is put aside keeps the pause, and a pause over holidays adds no working hour', () => {
  // 29 September to 9 October: of these days the calendar works on 29, 30 September and 9 October alone.
  const works = new Set(['2026-09-29', '2026-09-30', '2026-10-09', '2026-10-10']);
  const calendar = {
    works: (day: string) => works.has(day),
    hours: [
      { from: 8 * 60, to: 12 * 60 },
      { from: 14 * 60, to: 18 * 60 },
    ],
  };
  const at = (text: string) => new Date(`${text}:00+08:00`);
  const pace = { response: 60, finish: 600, calendar };
  const start = { stage: 0, reopen_count: 0, accept_at: null } as Clocked;
  const text = (row: object) =>
    JSON.parse(JSON.stringify(row), (key, value: unknown) =>
      typeof value === 'string' && key !== '' ? momentText(new Date(value)) : value,
    ) as Clocked;
  const sent = { ...start, ...text(turnClock(start, 40, at('2026-09-29T08:00'), pace, 'sent')) } as Clocked;
  const hung = { ...sent, ...text(turnClock(sent, 50, at('2026-09-29T12:00'), pace)) } as Clocked;
  expect([hung.used_minutes, hung.due_at, hung.runs_since]).toEqual([240, null, null]);
  const raised = { ...hung, ...text(turnClock(hung, 50, at('2026-09-30T10:00'), { ...pace, finish: 300 })) } as Clocked;
  expect([raised.used_minutes, raised.limit_minutes, raised.runs_since]).toEqual([240, 300, null]);
  const back = text(turnClock(raised, 40, at('2026-10-09T08:00'), { ...pace, finish: 300 }));
  expect([back.due_at, back.finish_due]).toEqual(['2026-10-09 09:00:00', '2026-10-09 09:00:00']);
});

test('a fee above the limit is not finished without consent; the sum of materials is that of its rows', async () => {
  const id = await walked(40);
  const lines = [
    { name: '水龙头', spec: 'DN15', qty: 2, price: 35.1 },
    { name: '生料带', spec: '', qty: 1, price: 2.05 },
  ];
  await done(act(jia, id, 'material', { materials: lines }));
  const [first] = (await get(id)).materials;
  const twice = await Promise.all([
    act(jia, id, 'material', { storno: first!.id }),
    act(jia, id, 'material', { storno: first!.id }),
  ]);
  expect(twice.filter((one) => one.code === 0)).toHaveLength(1);
  expect((await get(id)).materials_sum).toBe(2.05);
  await done(act(jia, id, 'fee', { fee: 150, words: '' }));
  expect(await get(id)).toMatchObject({ fee: 150, fee_state: 0 });
  expect((await finish(jia, id, { fee: 800 })).msg).toBe('费用 800 元超过 200 元，须先申请费用审批，同意后才能完工');
  expect((await get(id)).stage).toBe(40);
  await done(act(jia, id, 'fee', { fee: 800, words: '要换阀门' }));
  expect(await get(id)).toMatchObject({ stage: 40, fee: 800, fee_state: 1 });
  const { ticket_id } = await get(id);
  await house.press(chief, ticket_id!, '同意');
  expect(await get(id, jia)).toMatchObject({ stage: 40, fee_state: 2, handler_name: '贾师傅' });
  await done(finish(jia, id));
});

test('two clerks who merge two orders into each other close exactly one, whose words and story are seen in the other', async () => {
  const [a, b] = [await report({ description: '甲处漏水' }), await report({ description: '乙处漏水' })];
  const merge = (who: typeof desk, id: number, into: number) =>
    who.ask(orders.merge, { params: { id }, body: { into, reason: '同一处' } });
  const answers = await Promise.all([merge(desk, a, b), merge(second, b, a)]);
  expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
  expect(answers.find((one) => one.code !== 0)!.msg).toContain('不能合并');
  const [closed, open] = (await get(a)).stage === 90 ? [a, b] : [b, a];
  const kept = await get(open);
  expect(kept.stage).toBe(10);
  expect(kept.merged).toMatchObject([{ id: closed, description: closed === a ? '甲处漏水' : '乙处漏水' }]);
  expect((await get(closed)).merged_into).toMatchObject({ id: open });
  await expect(
    sql(`update repair_order set act_state = 5, stage = 90, merged_into = ${closed} where id = ${open}`),
  ).rejects.toThrow('is not open');
});

test('races end in one of their two ways: assigned or withdrawn, finished or closed, confirmed or sent back', async () => {
  for (let round = 0; round < 4; round += 1) {
    const one = await report();
    const first = await Promise.all([act(desk, one, 'assign', { handlers: [jia.userId] }), state(staff, one, 3)]);
    expect(first.some((answer) => answer.code === 0)).toBe(true);
    expect([0, 20]).toContain((await get(one, staff)).stage);
    const two = await walked(40);
    const second = await Promise.all([finish(jia, two), state(desk, two, 5, { remark: '不修了' })]);
    expect(second.some((answer) => answer.code === 0)).toBe(true);
    expect([60, 90]).toContain((await get(two)).stage);
    const three = await walked(60);
    const third = await Promise.all([state(staff, three, 4), state(staff, three, 1, { remark: '没好' })]);
    expect(third.filter((answer) => answer.code === 0)).toHaveLength(1);
    expect([70, 40]).toContain((await get(three)).stage);
  }
}, 60_000);

test('what a proxy repeats finishes once, and is refused from another site', async () => {
  const id = await walked(40);
  const ask = (headers: Record<string, string> = {}) => jia.send(`/api/order/${id}/state/?s=6`, { headers });
  expect(said(await ask())).toMatchObject({ code: 4000, msg: expect.stringContaining('处理结果') as string });
  await sql(`update repair_order set result = '已经修好了' where id = ${id}`);
  expect(said(await ask({ 'sec-fetch-site': 'cross-site' })).code).not.toBe(0);
  expect((await get(id)).stage).toBe(40);
  for (const one of await Promise.all([ask(), ask(), ask()]))
    expect(said(one)).toMatchObject({ code: 0, data: { stage: 60 } });
  expect((await get(id)).events.filter((event) => event.kind === 'finish')).toHaveLength(1);
});

test('seven days without an answer confirm it once, and it counts as five stars only where that is said', async () => {
  const id = await walked(60);
  await sql(
    `update ticket_token set timer_at = now() - interval '1 minute' where status = 'active' and ticket_id = (select ticket_id from repair_order where id = ${id})`,
  );
  const { actOnTimers } = await import('#modules/tickets/automation/timers.ts');
  const once = () =>
    write((tx) =>
      actOnTimers(tx, new Date(), (error) => {
        throw error;
      }),
    );
  await Promise.all([once(), once()]);
  expect(await get(id)).toMatchObject({ stage: 70, auto_confirmed: true, score: null });
  const { data } = await desk.ask(orders.visit, { params: { id }, body: { words: '已电话回访' } });
  expect(data.id).toBe(id);
});

test('fifty orders of an automatic category are spread over five handlers evenly, one more or less', async () => {
  for (const name of ['甲', '乙']) await house.hire(`${name}师傅`, { dept: house.team, roles: ['order_handler'] });
  const kind = await category({ auto_dispatch: true });
  for (let batch = 0; batch < 5; batch += 1)
    await Promise.all(Array.from({ length: 10 }, (_one, at) => report({ category_id: kind, room: `${batch}${at}` })));
  const { rows } = await sql(
    `select count(*)::int n from repair_order where category_id = ${kind} and stage = 20 group by handler_id`,
  );
  const { rows: held } = await sql(
    `select handler_id, count(*)::int n from repair_order where stage in (20, 30, 40, 50) and handler_id is not null group by 1 order by 2`,
  );
  expect(rows.reduce((sum: number, row: { n: number }) => sum + row.n, 0)).toBe(50);
  expect(held.at(-1).n - held[0].n).toBeLessThanOrEqual(1);
}, 60_000);

test('the counts of a tab and of a column are the total of its list for everybody, intakes included', async () => {
  for (const who of [staff, desk, second, jia, xia, fu, chief]) {
    const count = await who.get(orders.count, {});
    const total = async (query: object) => (await who.get(orders.list, { query: query as never })).total;
    expect([count.duty, count.mine]).toEqual([await total({ category: 'duty' }), await total({ category: 'owner' })]);
    for (const stage of [10, 20, 40, 60]) expect(count.by_stage[stage] ?? 0).toBe(await total({ stage }));
    expect(count.overdue).toBe(await total({ overdue: true }));
  }
});

test('80 percent, the whole and half as much again of a time are told once each, to ever more people', async () => {
  const id = await walked(30);
  const at = async (column: string) =>
    write((tx) => tellOfTime(tx, new Date(`${(rows[0] as Record<string, string>)[column]!.replace(' ', 'T')}.999Z`)));
  const { rows } = await sql(
    `select to_char(warn_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') warn, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') due, to_char(over_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') over_at from repair_order where id = ${id}`,
  );
  const told = async (who: typeof jia) =>
    (await news(who, '订单时限')).filter((one) => one.web_path === `/order/detail/${id}`).length;
  await at('warn');
  await at('warn');
  expect([await told(jia), await told(desk), await told(chief)]).toEqual([1, 0, 0]);
  await at('due');
  expect([await told(jia), await told(desk), await told(chief)]).toEqual([2, 1, 0]);
  await at('over_at');
  await at('over_at');
  expect([await told(jia), await told(desk), await told(chief)]).toEqual([3, 2, 1]);
});

test('an incident makes one order however often it is pressed; its closing is told and ends nothing', async () => {
  const kind = house.water;
  const one = () =>
    write(async (tx) => {
      const { personWithRights, viewerOf } = await import('#modules/people/service/rights.ts');
      const user = viewerOf((await personWithRights(tx, desk.userId))!, 0);
      const context = {
        tx,
        user,
        now: new Date(),
        origin: { ip: '', userAgent: '', traceId: '' },
        audit: () => undefined,
      };
      return registerIncident(context, {
        incident: { module: 'monitors', id: 77 },
        title: '门户网站打不开',
        description: '连续 3 次失败',
        category_id: kind,
        place: '门户网站',
      });
    });
  const made = await Promise.all([one(), one(), one()]);
  expect(new Set(made.map((order) => order.id)).size).toBe(1);
  expect(made.filter((order) => order.is_new)).toHaveLength(1);
  const { id } = made[0]!;
  await done(act(desk, id, 'assign', { handlers: [jia.userId] }));
  await done(act(jia, id, 'take'));
  await write((tx) => incidentClosed(tx, 77, '已恢复，历时 12 分钟'));
  const shown = await get(id, jia);
  expect(shown).toMatchObject({ stage: 30, source: 4, place: '门户网站' });
  expect(shown.events[0]).toMatchObject({ kind: 'incident', words: '已恢复，历时 12 分钟' });
  expect((await news(jia, '报修进展')).length).toBeGreaterThan(0);
});

test('the call of somebody outside is registered in twenty seconds’ worth of fields: their number finds them and the last place', async () => {
  const body = { ...house.input({ room: '402' }), contact: '王女士', phone: '13800001234' };
  const { id } = await desk.get(orders.register, { body: body as never });
  expect(await get(id)).toMatchObject({ source: 3, contact: '王女士', phone: '13800001234', reporter_name: '王女士' });
  const { caller } = await desk.get(orders.similar, { query: { phone: '13800001234' } });
  expect(caller).toMatchObject({ id: null, name: '王女士', room: '402' });
  expect((await staff.get(orders.similar, { query: { phone: '13800001234' } })).caller).toBeNull();
  const { data } = await desk.ask(orders.register, {
    body: { ...body, reporter: staff.userId, handlers: [jia.userId] } as never,
  });
  expect(data.stage).toBe(20);
  // Whoever registered it sends it to another, although it is theirs.
  await done(act(desk, data.id, 'assign', { handlers: [xia.userId] }));
  expect(await get(data.id)).toMatchObject({ stage: 20, handler_name: '夏师傅' });
  expect((await get(data.id, staff)).reporter_name).toBe('张三');
});

test('one of the desk sends an order back with words: it is with whoever reported it, who mends it and sends it again', async () => {
  const id = await house.report();
  expect(await house.act(house.desk, id, 'refuse')).toMatchObject({ code: 4000 });
  await house.done(house.act(house.desk, id, 'refuse', { words: '不属维修范围' }));
  expect(await house.get(id)).toMatchObject({ act_state: 2, stage: 0 });
});

test('an order that is given to another while its fee is being agreed to may be finished all the same', async () => {
  const id = await house.walked(40);
  await house.done(house.act(house.jia, id, 'fee', { fee: 500 }));
  await house.done(house.act(house.desk, id, 'assign', { handlers: [house.xia.userId] }));
  await house.done(house.act(house.xia, id, 'take'));
  await house.done(house.act(house.xia, id, 'start'));
  expect((await house.get(id, house.xia)).actions).toContain('finish');
});
