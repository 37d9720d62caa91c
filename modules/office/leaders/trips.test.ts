import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentText } from '#kernel/contract/moment.ts';
import { delegationsOf } from '#modules/workflow/delegations/service.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import {
  actingLonger,
  actingUnfit,
  clashes,
  noApprovers,
  notNow,
  notOnSide,
  onItsWay,
  tripOfAnother,
} from './contract/refusals.ts';
import { at, calls, openLeaders } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openLeaders>>;
let serial = 0;
beforeAll(async () => {
  house = await openLeaders();
  await house.app.admin.get(calls.saveRule, { body: { main_leaders: [house.principal.username] } as never });
});
afterAll(() => house.app.close());

const now = Date.now();
const inHours = (hours: number) => momentText(new Date(now + hours * 3_600_000)).slice(0, 16);
/** Reports a trip of the vice principal by their secretary, the principal acting; each call has its own hours. */
const report = async (more: object = {}) => {
  serial += 100;
  return house.written(house.colleague2, {
    type_id: 3,
    leaders: [house.vice.username],
    title: '赴省城开会',
    address: '省城',
    start_time: inHours(serial),
    end_time: inHours(serial + 10),
    acting: house.head.username,
    approvers: [house.principal.username],
    ...more,
  });
};
const press = (who: typeof house.vice, ticket: number, button: string) => house.press(who, ticket, button);
const agreed = async (more: object = {}) => {
  const trip = await report(more);
  for (const [who, button] of [
    [house.vice, '确认'],
    [house.principal, '同意'],
    [house.clerk, '备案'],
  ] as const) {
    const { code, msg } = await press(who, trip.ticket_id, button);
    if (code !== 0) throw new Error(msg);
  }
  return trip;
};
const standing = async (id: number) => (await house.get(house.colleague2, id)).standing;
const actsFor = (who: typeof house.vice) =>
  house.app.services.databases.write((tx) => delegationsOf(tx, who.userId)) as Promise<{ principal: number }[]>;
const begun = { start_time: inHours(-2), end_time: inHours(4) };

test('a trip reported by a secretary delegates nothing until the leader and then the others have agreed', async () => {
  const trip = await report({ title: '考察' });
  expect(await standing(trip.id)).toBeNull();
  expect((await press(house.colleague2, trip.ticket_id, '确认')).code).not.toBe(0);
  expect((await press(house.vice, trip.ticket_id, '确认')).code).toBe(0);
  expect(await standing(trip.id)).toBeNull();
  expect((await press(house.principal, trip.ticket_id, '同意')).code).toBe(0);
  expect(await standing(trip.id)).toBeNull();
  expect((await press(house.clerk, trip.ticket_id, '备案')).code).toBe(0);
  const { start, end, over } = (await standing(trip.id))!;
  expect([start.slice(0, 16), end.slice(0, 16), over]).toEqual([inHours(serial), inHours(serial + 10), false]);
  expect(await house.titles(house.head)).toContain('外出：考察');
});

test('a trip cannot be ended before it begins and has no reply, and each refusal says why', async () => {
  const { id } = await agreed({ start_time: inHours(30), end_time: inHours(40) });
  const early = await house.colleague2.ask(calls.back, { params: { id }, body: {} as never });
  expect(early).toRefuse(notNow, '还没有开始', '销假');
  const answered = await house.colleague2.ask(calls.reply, { params: { id }, body: { result: 1 } as never });
  expect(answered).toRefuse(notNow, '是外出报备', '答复');
});

test('acting for a leader begins and ends with the trip to the minute, moves with it, and ends with 销假', async () => {
  const { id } = await agreed(begun);
  expect(await actsFor(house.head)).toMatchObject([{ principal: house.vice.userId }]);
  const longer = inHours(6);
  expect(await house.edit(house.colleague2, id, { end_time: longer })).toRefuse(actingLonger, '刘副校长');
  expect(await house.edit(house.clerk, id, { start_time: inHours(-3) })).toRefuse(actingLonger, '刘副校长');
  expect((await house.edit(house.colleague2, id, { end_time: inHours(3) })).code).toBe(0);
  expect((await house.edit(house.vice, id, { end_time: longer })).code).toBe(0);
  expect((await standing(id))!.end.slice(0, 16)).toBe(longer);
  const meddling = await house.colleague.ask(calls.back, { params: { id }, body: { at: inHours(-9) } as never });
  expect(meddling).toRefuse(notOnSide, '销假');
  const back = await house.colleague2.ask(calls.back, { params: { id }, body: { at: inHours(-1) } as never });
  expect(back.code).toBe(0);
  expect(await actsFor(house.head)).toEqual([]);
  expect(await standing(id)).toMatchObject({ end: `${inHours(-1)}:00`, over: true });
  expect(await house.get(house.vice, id)).toMatchObject({ run_status: 2, end_time: `${inHours(-1)}:00` });
});

test('a trip remains that of the leader who agreed to it', async () => {
  const { id } = await agreed();
  const other = { leaders: [house.principal.username], force: true };
  for (const who of [house.colleague2, house.clerk, house.vice])
    expect(await house.edit(who, id, other)).toRefuse(tripOfAnother, '刘副校长');
  expect((await house.edit(house.colleague2, id, { leaders: [house.vice.username], address: '邻省' })).code).toBe(0);
});

test('cancelling a trip ends the delegation made for it', async () => {
  const { id } = await agreed();
  expect((await house.clerk.ask(calls.cancel, { params: { id }, body: { reason: '会议改线上' } as never })).code).toBe(
    0,
  );
  const { start, end, over } = (await standing(id))!;
  expect([start <= end, over]).toEqual([true, true]);
});

test('a trip does not replace a delegation the leader already made, and says so', async () => {
  const own = {
    delegate: house.staff.username,
    start: inHours(serial + 99),
    end: inHours(serial + 120),
    workflow_ids: [],
    chain_limit: 1,
    reason: '',
  };
  await house.vice.get(delegations.create, { body: own });
  const { id } = await agreed();
  expect(await standing(id)).toBeNull();
  expect((await house.vice.get(delegations.list, { query: { side: 'given' } as never })).value[0]!.delegate.alias).toBe(
    '张三',
  );
});

test('the acting person is another present employee, and main leaders agree to trips of the others', async () => {
  expect(await house.write(house.colleague2, tripBody({ acting: house.vice.username }))).toRefuse(
    actingUnfit,
    '刘副校长',
    '就是外出的领导',
  );
  await report({ leaders: [house.vice.username], start_time: at(120, '08:00'), end_time: at(120, '18:00') });
  const other = {
    leaders: [house.principal.username],
    acting: house.vice.username,
    approvers: [],
    start_time: at(120, '09:00'),
    end_time: at(120, '10:00'),
  };
  expect(await house.write(house.secretary, tripBody(other))).toRefuse(actingUnfit, '刘副校长', '那时也外出');
  expect(await house.write(house.colleague2, tripBody({ approvers: [] }))).toRefuse(noApprovers);
});
const tripBody = (more: object) => ({
  type_id: 3,
  leaders: [house.vice.username],
  approvers: [house.principal.username],
  start_time: at(130, '08:00'),
  end_time: at(130, '18:00'),
  ...more,
});

test('of a trip approved and a delegation made at the same moment one is kept', async () => {
  const trip = await report();
  await press(house.vice, trip.ticket_id, '确认');
  await press(house.principal, trip.ticket_id, '同意');
  const own = {
    delegate: house.staff.username,
    start: inHours(serial),
    end: inHours(serial + 5),
    workflow_ids: [],
    chain_limit: 1,
    reason: '',
  };
  const [recorded, made] = await Promise.all([
    press(house.clerk, trip.ticket_id, '备案'),
    house.vice.ask(delegations.create, { body: own }),
  ]);
  expect(recorded.code).toBe(0);
  expect((await standing(trip.id)) === null).toBe(made.code === 0);
});

test('the office cannot approve a trip in place of its leader', async () => {
  const trip = await report();
  const { state } = await import('#modules/workflow/tickets/contract/actions.ts').then(({ ticketActions }) => ({
    state: ticketActions.state,
  }));
  const moved = await house.clerk.ask(state, {
    params: { id: trip.ticket_id },
    body: { state_id: 5, suggestion: '直接办结' } as never,
  });
  expect(moved).toRefuse(onItsWay, '外出报备须领导本人确认');
});

test('a trip that clashes is accepted only by the leader’s own side and the office, after a confirmation', async () => {
  const time = { start_time: inHours(9000), end_time: inHours(9003) };
  await house.written(house.clerk, { ...time, title: '务虚会', leaders: [house.vice.username] });
  const trip = {
    ...time,
    type_id: 3,
    leaders: [house.vice.username],
    title: '临时外出',
    address: '省城',
    acting: house.head.username,
    approvers: [house.principal.username],
  };
  for (const who of [house.colleague2, house.clerk])
    expect(await house.write(who, trip)).toMatchObject({ code: clashes.code, data: { can_force: true } });
  for (const force of [false, true])
    expect(await house.write(house.head, { ...trip, force })).toMatchObject({
      code: clashes.code,
      data: { can_force: false },
    });
  const { id, ticket_id } = await house.written(house.colleague2, { ...trip, force: true });
  for (const [who, button] of [
    [house.vice, '确认'],
    [house.principal, '同意'],
    [house.clerk, '备案'],
  ] as const)
    expect(await press(who, ticket_id, button)).toMatchObject({ code: 0 });
  expect((await house.get(house.colleague2, id)).clash).not.toEqual([]);
});

test('leaders write their own entries at once, and those for another leader by request like anybody', async () => {
  const mine = { leaders: [house.vice.username], title: '自己写的', force: true };
  const own = await house.written(house.vice, { ...mine, start_time: inHours(9500), end_time: inHours(9501) });
  expect(own.act_state).toBe(4);
  const other = { start_time: inHours(9700), end_time: inHours(9701), leaders: [house.principal.username] };
  expect((await house.written(house.vice, { ...other, title: '请校长出席' })).act_state).toBe(1);
});

test('a trip reported by the leader goes straight to the main leader, and one by their secretary to the leader first', async () => {
  const mine = { type_id: 3, leaders: [house.vice.username], title: '赴沪', address: '上海', force: true };
  const trip = { ...mine, acting: house.head.username, approvers: [house.principal.username] };
  const times = { start_time: inHours(9800), end_time: inHours(9803) };
  const { id, ticket_id } = await house.written(house.vice, { ...trip, ...times });
  expect((await press(house.vice, ticket_id, '确认')).code).not.toBe(0);
  expect((await press(house.principal, ticket_id, '同意')).code).toBe(0);
  expect(await standing(id)).toBeNull();
  expect((await press(house.clerk, ticket_id, '备案')).code).toBe(0);
  expect(await standing(id)).not.toBeNull();
  const told = { start_time: inHours(9900), end_time: inHours(9903) };
  const other = await house.written(house.colleague2, { ...trip, ...told });
  expect((await press(house.principal, other.ticket_id, '同意')).code).not.toBe(0);
  expect((await press(house.vice, other.ticket_id, '确认')).code).toBe(0);
});
