import { afterAll, expect, test } from 'vitest';
import { momentText } from '#kernel/contract/moment.ts';
import { turnClock, type Clocked } from './record/clock.ts';
import { orders } from './contract/orders.ts';
import { resumeOne, tellOfTime } from './jobs.ts';
import { openOrders } from './testing/house.ts';

const house = await openOrders();
const { app, staff, desk, jia, chief, act, state, get, finish, walked, report, done, sql, news } = house;
afterAll(app.close);

const inHours = (hours: number) => momentText(new Date(Date.now() + hours * 36e5)).slice(0, 16);
const write = app.services.databases.write;

test('only the reporter rates an order, once with one addition, and nobody changes the rating', async () => {
  const id = await walked(60);
  const rate = (who: typeof staff, score: number) =>
    who.ask(orders.comment, { params: { id }, body: { score, content: '好' } as never });
  expect((await rate(jia, 5)).msg).toBe('评价由报修人本人办理');
  expect((await rate(desk, 5)).msg).toBe('评价由报修人本人办理');
  // Sent from two devices at once, one counts, and it confirms the order too.
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

test('a rating with an addition cannot be added to again, and a low one asks the desk to call back', async () => {
  const id = await walked(70);
  const rate = (score: number) =>
    staff.ask(orders.comment, { params: { id }, body: { score, content: '后来' } as never });
  expect((await rate(5)).data.actions).toContain('comment');
  expect((await get(id)).actions).not.toContain('visit');
  expect((await rate(1)).data.actions).not.toContain('comment');
  expect((await get(id, staff)).actions).not.toContain('comment');
  const called = { params: { id }, body: { words: '已致电道歉' } };
  expect((await desk.ask(orders.visit, called)).code).toBe(0);
  expect((await get(id)).score).toBe(5);
});

test('an unsubmitted order says so with its possible actions, and a returned one is called returned', async () => {
  const body = house.input({ submit: false });
  const draft = await staff.ask(orders.create, { body: body as never });
  expect(draft).toMatchObject({ code: 0, msg: '已保存，还没有提交', data: { stage: 0, actions: ['edit', 'delete'] } });
  expect((await staff.ask(orders.create, { body: house.input({ source: 3 }) as never })).msg).toContain('来源：');
  const id = await walked(10);
  await done(act(desk, id, 'refuse', { words: '请写明房间' }));
  expect((await state(staff, id, 3)).msg).toContain('现在是“已退回”，不能撤回');
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

test('rework for a handler who has left goes to the desk', async () => {
  const gone = await house.hire('临时工', { dept: house.team, roles: ['order_handler'] });
  const id = await report();
  await done(act(desk, id, 'assign', { handlers: [gone.userId] }));
  await done(act(gone, id, 'take'));
  await done(finish(gone, id));
  await sql(`update app_user set is_active = false where id = ${gone.userId}`);
  await done(state(staff, id, 1, { remark: '又坏了' }));
  expect(await get(id)).toMatchObject({ stage: 10, reopen_count: 1 });
});

test('an order is suspended with a reason and a future date, stops its clock, and resumes by itself once', async () => {
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

test('changing the urgency of a suspended order keeps the pause, and a pause over holidays adds no working hours', () => {
  // 29 September to 9 October: only 29 and 30 September and 9 October are working days.
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

test('seven days without an answer confirm an order once, with five stars only if so configured', async () => {
  const id = await walked(60);
  await sql(
    `update ticket_token set timer_at = now() - interval '1 minute' where status = 'active' and ticket_id = (select ticket_id from repair_order where id = ${id})`,
  );
  const { actOnTimers } = await import('#modules/workflow/tickets/automation/timers.ts');
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

test('at 80, 100 and 150 percent of its time an order is announced once each, to more and more people', async () => {
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

test('after completion nothing can be added to an order that would need consent', async () => {
  const id = await house.walked(60);
  const add = (price: number) =>
    house.act(house.jia, id, 'material', { materials: [{ name: '阀门', spec: '', qty: 1, price }] });
  const refused = await add(200.01);
  expect(refused.msg).toContain('订单已完工，加上这些材料费用为 200.01 元（含材料 200.01 元），超过免批的 200.00 元');
  expect((await house.get(id)).materials).toEqual([]);
  expect((await add(200)).code).toBe(0);
});

test('an order is suspended for at most ninety days', async () => {
  const id = await house.walked(40);
  const hang = (days: number) =>
    house.act(house.jia, id, 'hang', { hang_kind: 1, hang_until: inHours(days * 24), words: '等配件' });
  expect((await hang(91)).msg).toMatch(/^预计恢复时间：最多挂起 90 天，请选择 .* 以前的时间$/);
  expect((await hang(89)).code).toBe(0);
});
