import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { orders } from './contract/orders.ts';
import { openOrders } from './testing/house.ts';

const house = await openOrders();
const { app, staff, colleague, desk, jia, xia, fu, act, state, get, finish, walked, report, done, news } = house;
afterAll(app.close);

test('a fault goes from its reporter by way of the desk and a handler back to them, and each step is announced', async () => {
  const id = await report({ appoint_time: `${dayOf(new Date(Date.now() + 7 * 86_400_000))} 09:30` });
  expect(await get(id)).toMatchObject({ stage: 10, state: 1, light: 1, reporter_name: '张三', contact: '张三' });
  expect((await act(staff, id, 'assign', { handlers: [jia.userId] })).msg).toContain('不能派单');
  expect((await act(desk, id, 'assign', { handlers: [staff.userId] })).msg).toBe(
    '张三不是在岗的维修人员，请重新选择办理人',
  );
  await done(act(desk, id, 'assign', { handlers: [jia.userId] }));
  expect(await get(id, jia)).toMatchObject({ stage: 20, handler_name: '贾师傅' });
  await done(act(jia, id, 'take'));
  expect((await state(staff, id, 3)).msg).toContain('已接单，不能撤回');
  await done(act(jia, id, 'start'));
  expect((await finish(jia, id, { result: '好了' })).msg).toContain('至少 5 个字');
  const finished = await finish(jia, id);
  expect(finished.data).toMatchObject({ state: 6, stage: 60 });
  expect((await state(jia, id, 4)).msg).toBe('确认由报修人本人办理');
  await done(state(staff, id, 4));
  const shown = await get(id, staff);
  expect(shown).toMatchObject({ stage: 70, state: 4, finish_met: true, auto_confirmed: false });
  expect(shown.events.map((event) => event.kind)).toEqual(['confirm', 'finish', 'start', 'take', 'dispatch', 'report']);
  expect((await news(staff, '报修')).length).toBeGreaterThan(0);
});

test('an appointment cannot be in the past or a year away, and an existing one does not prevent corrections', async () => {
  const past = '2026-01-05 09:30';
  const said = `预约时间：${past} 已经过去，请选择以后的时间`;
  const body = house.input({ appoint_time: past }) as never;
  expect((await staff.ask(orders.create, { body })).msg).toBe(said);
  const far = house.input({ appoint_time: '2098-01-01 10:00' }) as never;
  expect((await staff.ask(orders.create, { body: far })).msg).toBe('预约时间：2098-01-01 10:00 在一年以后，请核对年份');
  const id = await report();
  expect((await act(desk, id, 'edit', { appoint_time: past })).msg).toBe(said);
  await house.sql('update repair_order set appoint_time = $1 where id = $2', [past, id]);
  await done(act(desk, id, 'edit', { title: '改过的标题', appoint_time: past.replace(' ', 'T') }));
});

test('a colleague who is not involved in an order finds it nowhere', async () => {
  const id = await walked(10);
  expect((await colleague.ask(orders.get, { params: { id } })).code).toBe(4004);
  expect((await colleague.get(orders.list, {})).value).toEqual([]);
  expect((await colleague.get(orders.count, {})).all).toBe(0);
  const asked = await colleague.get(orders.similar, { query: { building: '一号楼', room: '305' } });
  expect([asked.count > 0, asked.value, asked.caller]).toEqual([true, [], null]);
});

test('an order never submitted is deleted by its author; one that was submitted stays, even if withdrawn', async () => {
  const remove = (id: number, who = staff) => who.ask(orders.remove, { params: { id } });
  const draft = async () =>
    (await staff.get(orders.create, { body: house.input({ title: '写错的报修', submit: false }) as never })).id;
  const id = await draft();
  for (const who of [colleague, desk, jia]) expect((await remove(id, who)).code, who.username).not.toBe(0);
  expect(await get(id, staff)).toMatchObject({ title: '写错的报修' });
  expect(await remove(id)).toMatchObject({ code: 0, msg: '已删除' });
  for (const who of [staff, desk]) expect((await who.ask(orders.get, { params: { id } })).code).toBe(4004);
  expect((await staff.get(orders.list, { query: { search_value: '写错的报修' } })).total).toBe(0);
  expect((await remove(id)).code).toBe(4004);
  const sent = await report();
  expect((await remove(sent)).msg).toContain('不能删除');
  await done(state(staff, sent, 3));
  expect((await remove(sent)).msg).toContain('不能删除');
  expect(await get(sent, staff)).toMatchObject({ title: '水管漏水' });
});

test('the orders of a leaver go to the head of the team, and no others can be assigned to the leaver', async () => {
  const leaver = await house.hire('离岗师傅', { dept: house.team, roles: ['order_handler'] });
  const id = await report();
  await done(act(desk, id, 'assign', { handlers: [leaver.userId] }));
  await done(act(leaver, id, 'take'));
  await app.admin.get(users.update, { params: { id: leaver.userId }, body: { is_active: false } as never });
  await eventually(async () => expect(await get(id)).toMatchObject({ stage: 20, handler_name: '科长' }));
}, 180_000);

test('correcting an order changes only what was reported, not its fee, suspension or handlers', async () => {
  const id = await walked(40);
  const { fee, hang_until } = await get(id);
  await done(
    act(desk, id, 'edit', { title: '改过的标题', fee: 9, hang_until: '2030-01-01 08:00', handlers: [xia.userId] }),
  );
  expect(await get(id)).toMatchObject({ title: '改过的标题', fee, hang_until, handler_name: '贾师傅' });
  expect((await act(colleague, id, 'edit', { title: '别人的' })).code).toBe(4004);
  expect((await act(staff, id, 'edit', { title: '自己的' })).msg).toContain('不能修改');
});

test('of twenty people who accept one order at once one becomes its handler, and the others hear who', async () => {
  const crew = await Promise.all(
    Array.from({ length: 17 }, (_, at) => house.hire(`帮手${at}`, { dept: house.team, roles: ['order_handler'] })),
  );
  const all = [jia, xia, fu, ...crew];
  const id = await report();
  await done(act(desk, id, 'assign', { handlers: all.map((one) => one.userId) }));
  const answers = await Promise.all(all.map((one) => act(one, id, 'take')));
  const winners = answers.filter((answer) => answer.code === 0);
  expect(winners).toHaveLength(1);
  const { handler_name, stage } = await get(id);
  expect(stage).toBe(30);
  for (const answer of answers.filter((one) => one.code !== 0)) expect(answer.msg).toContain(handler_name);
}, 180_000);
