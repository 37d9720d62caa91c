import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { dutyCalls as calls, type Shift } from './contract.ts';
import { openDuty } from './testing/duty.ts';
import { counted } from '#apps/server/testing/counted.ts';
import type { Client } from '#apps/server/testing.ts';
import { leaders } from '#modules/office/leaders/contract.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { gapsLeft, movedBefore, planEmpty, sameShift, seatedTwice, unfit } from './contract/refusals.ts';
import { dutyFeeds, dutyLeaves } from './server/brings.ts';

const duty = await openDuty();
const {
  school,
  clerk,
  outsider,
  team,
  today,
  house,
  run,
  pool,
  newPlan,
  make,
  shifts,
  publish,
  ready,
  staffOf,
  clientOf,
  get,
  swap,
  told,
  waiting,
  freeFor,
  beginsIn,
} = duty;
let from: string;
beforeEach(() => void (from = duty.next()));
afterAll(() => duty.school.office.close());

describe('a duty roster', () => {
  test('is made in one step after a trial run, and seen only by the office until it is published', async () => {
    const tried = await make({ dry_run: true });
    expect(tried.data).toMatchObject({ gaps: [] });
    expect(await shifts(clerk)).toEqual([]);
    const made = (await make()).data as { days: { shifts: Shift[] }[]; shares: { before: number; after: number }[] };
    expect(made.days.flatMap((one) => one.shifts)).toHaveLength(14);
    expect(await shifts(clerk)).toHaveLength(14);
    expect(staffOf((await shifts(clerk))[0]!).why).toContain('积分最少');
    expect(await shifts(team[0]!)).toEqual([]);
    const [first] = await shifts(clerk);
    expect((await team[0]!.ask(calls.get, { params: { id: first!.id } })).code).toBe(codes.absent);
    await publish();
    expect(await shifts(outsider)).toHaveLength(14);
    expect(await told(team[0]!)).toContainEqual(expect.stringContaining('值班表已发布'));
  });

  test('of a holiday week marks each day by kind and name, and shares out the heavy days', async () => {
    const year = Number(today.slice(0, 4));
    const eve = [year, year + 1].map((one) => `${one}-09-28`).find((one) => one > today)!;
    const made = (await make({ from: eve, to: dayAfter(eve, 9), dry_run: true })).data as {
      days: { day: string; kind: number; holiday: string; shifts: Shift[] }[];
    };
    const known = made.days.filter((one) => one.kind === 3);
    for (const day of made.days) expect(day.shifts.length).toBe(1);
    for (const day of known) expect(day.holiday).toBe('国庆节');
    for (const { kind, shifts: of } of made.days)
      expect(of[0]!.start_time.slice(11)).toBe(kind === 1 ? '17:30:00' : '08:00:00');
  });

  test('made again keeps seats set by hand and published shifts', async () => {
    await make();
    const all = await shifts(clerk);
    const shift = all[5]!;
    const free = freeFor(shift, all);
    expect(
      await clerk.ask(calls.change, { params: { id: shift.id }, body: { staff: [free.username] } as never }),
    ).toMatchObject({ code: 0 });
    await make();
    const again = (await shifts(clerk)).find((one) => one.day === shift.day)!;
    expect(staffOf(again).id).toBe(free.userId);
    await publish();
    const before = await shifts(clerk);
    await make({ keep: false });
    expect(await shifts(clerk)).toEqual(before);
  });

  test('names gaps to the plan’s keeper until they are filled, and is published with gaps only on purpose', async () => {
    const small = await newPlan('备勤一', { lead_need: 0, staff: pool(team[0]!) });
    expect(await make({ plan_id: small })).toMatchObject({ code: 0 });
    const gaps = (await shifts(clerk, '备勤一')).filter((one) => one.gap > 0);
    expect(gaps.length).toBeGreaterThan(5);
    const early = await clerk.ask(calls.publish, {
      body: { month: gaps[0]!.day.slice(0, 7), plan_id: small } as never,
    });
    expect(early).toMatchObject({ code: gapsLeft.code, data: { can_force: true } });
    const name = `缺人：${gaps[0]!.day.slice(5)} 备勤一`;
    const soon = Date.parse(gaps[0]!.day) - Date.now() < 30 * 86_400_000;
    expect((await waiting(clerk)).includes(name)).toBe(soon);
    await run((tx) => tx.execute(sql`delete from duty_shift where plan_id = ${small}`));
    expect(await waiting(clerk)).not.toContain(name);
  });

  test('refuses a person who is absent, without rest or outside the plan, unless the office gives a reason', async () => {
    const all = await ready();
    const [first, second] = [all[0]!, all[1]!];
    const put = (shift: Shift, who: Client, more: object = {}) =>
      clerk.ask(calls.change, { params: { id: shift.id }, body: { staff: [who.username], ...more } as never });
    expect((await put(second, clientOf(first))).msg).toContain('间隔不足 24 小时');
    const refused = await put(second, outsider);
    expect(refused).toRefuse(unfit, [{ name: '外人', why: '不在方案的人员范围内', forcible: true }]);
    expect(refused.data).toMatchObject({ can_force: true });
    expect((await put(second, outsider, { force: true })).msg).toContain('请填写原因');
    expect(await put(second, outsider, { force: true, reason: '临时抽调' })).toMatchObject({ code: 0 });
    expect((await get(outsider, second.id)).changes.at(-1)).toMatchObject({
      reason: '临时抽调',
      becomes: expect.stringContaining('外人'),
    });
    const free = freeFor(all[8]!, all);
    await run((tx) =>
      tx.execute(
        sql`insert into stand_in (from_id, to_id, starts_at, ends_at, reason) select ${free.userId}, ${outsider.userId}, ${all[8]!.day}::date, ${all[8]!.day}::date + 3, '出差'`,
      ),
    );
    expect((await put(all[8]!, free)).msg).toContain('外出');
    await run((tx) => tx.execute(sql`delete from stand_in where from_id = ${free.userId}`));
  });

  test('knows approved leave: nobody on leave is put on duty, and seats they already have are marked', async () => {
    const gone = team[0]!;
    const before = await ready();
    // Leave is counted in working days, so it must begin on one.
    const { day } = before.find((one) => one.day > dayAfter(from, 1) && one.kind === 1)!;
    const on = (shift: Shift) => shift.day === day && shift.people.some((one) => one.id === gone.userId);
    const spare = before.find((one) => one.day === day)!;
    if (!before.some(on))
      await run((tx) =>
        tx.execute(sql`update duty_person set user_id = ${gone.userId} where shift_id = ${spare.id} and post = 2`),
      );
    const asked = { kind: 'annual', from: day, to: dayAfter(day, 1), to_half: 'am', reason: '休年假' };
    const { id } = await school.begin(gone, 'leave', asked);
    expect((await shifts(clerk)).some((one) => one.people.some((person) => person.away))).toBe(false);
    await school.approve(id);
    const marked = (await shifts(clerk)).filter(on);
    expect(marked.length).toBeGreaterThan(0);
    expect(marked.every((one) => one.people.find((person) => person.id === gone.userId)!.away)).toBe(true);
    // Absence and its reason are shown only to those who can assign another person.
    expect((await shifts(outsider)).some((one) => one.people.some((person) => person.away))).toBe(false);
    const other = before.find((one) => one.day === day && !on(one)) ?? marked[0]!;
    await run((tx) => tx.execute(sql`delete from duty_person where shift_id = ${other.id}`));
    const put = await clerk.ask(calls.change, {
      params: { id: other.id },
      body: { staff: [gone.username], version: (await get(clerk, other.id)).version } as never,
    });
    expect(put.msg).toContain('“值班甲”当时请假、外出或已全部委托');
    await run((tx) =>
      tx.execute(
        sql`delete from duty_shift where plan_id = ${house.plan} and day between ${from} and ${dayAfter(from, 13)}`,
      ),
    );
    const again = await ready();
    expect(again.filter(on)).toEqual([]);
  });

  test('treats a person who returned early from leave as present and available', async () => {
    const gone = team[0]!;
    const asked = { kind: 'annual', from: dayAfter(today, -7), to: dayAfter(from, 20), reason: '休年假' };
    const { id } = await school.begin(gone, 'leave', asked);
    const before = await ready();
    await school.approve(id);
    const theirs = (one: Shift) => one.people.filter((person) => person.id === gone.userId);
    expect((await shifts(clerk)).flatMap(theirs).every((person) => person.away)).toBe(true);
    const free = before.find((one) => theirs(one).length === 0)!;
    await run((tx) =>
      tx.execute(
        sql`delete from duty_person where user_id = ${gone.userId} and shift_id in (select id from duty_shift where day >= ${from})`,
      ),
    );
    const put = async () => {
      const { version } = await get(clerk, free.id);
      return clerk.ask(calls.change, { params: { id: free.id }, body: { staff: [gone.username], version } as never });
    };
    expect((await put()).msg).toContain('“值班甲”当时请假、外出或已全部委托');
    expect((await gone.ask(ticketActions.endLeave, { params: { id }, body: { day: today } })).code).toBe(0);
    expect(await put()).toMatchObject({ code: 0 });
    expect((await shifts(clerk)).flatMap(theirs).map((person) => person.away)).toEqual([false]);
  });

  test('refuses the same person twice in one shift, with a plain sentence', async () => {
    const [first] = await ready();
    const staff = [staffOf(first!).username];
    const twice = { params: { id: first!.id }, body: { lead: staff, staff, force: true, reason: '顶班' } as never };
    expect(await clerk.ask(calls.change, twice)).toRefuse(seatedTwice);
  });

  test('is changed by moving people to free seats or exchanging them, both or neither, and both people are told', async () => {
    const move = (who: Client, id: number, body: object) =>
      who.ask(calls.move, { params: { id }, body: body as never });
    const person = (all: readonly Shift[], id: number) => clientOf(all.find((one) => one.id === id)!);
    await make();
    const drafts = await shifts(clerk);
    const far = (one: Shift, of: Shift, who: Client) =>
      drafts.every(
        (other) =>
          [one.id, of.id].includes(other.id) ||
          Math.abs(Date.parse(other.day) - Date.parse(one.day)) > 2 * 86_400_000 ||
          clientOf(other) !== who,
      );
    const [from_, to] = drafts.flatMap((a) =>
      drafts
        .filter((b) => b.id > a.id && clientOf(a) !== clientOf(b) && far(b, a, clientOf(a)) && far(a, b, clientOf(b)))
        .map((b) => [a, b]),
    )[0]!;
    const [a, b] = [clientOf(from_!), clientOf(to!)];
    expect((await move(outsider, from_!.id, { user: a.username, to: to!.id })).code).not.toBe(0);
    expect(await move(clerk, from_!.id, { user: a.username, to: to!.id, with: outsider.username })).not.toMatchObject({
      code: 0,
    });
    const exchange = { user: a.username, to: to!.id, with: b.username };
    const both = await Promise.all([0, 1].map(() => move(clerk, from_!.id, exchange)));
    expect(both.map((one) => one.code).toSorted()).toEqual([0, codes.conflict]);
    expect(both.find((one) => one.code !== 0)).toRefuse(
      movedBefore,
      from_!.people.find((one) => one.id === a.userId)!.alias,
      `${from_!.day} 总值班`,
    );
    let now = await shifts(clerk);
    expect([person(now, from_!.id), person(now, to!.id)]).toEqual([b, a]);
    await publish(true);
    now = await shifts(clerk);
    expect(await move(clerk, to!.id, { user: a.username, to: to!.id, reason: '误操作' })).toRefuse(sameShift);
    expect((await get(clerk, to!.id)).changes).toEqual([]);
    const next = now[now.findIndex((one) => one.id === to!.id) + 1]!;
    const clash = await move(clerk, from_!.id, { user: b.username, to: next.id, with: a.username });
    expect(clash.code).not.toBe(0);
    expect(await shifts(clerk)).toEqual(now);
    expect(
      await move(clerk, from_!.id, { user: b.username, to: to!.id, with: a.username, reason: '换回' }),
    ).toMatchObject({ code: 0 });
    expect(await told(a)).toContain(`值班调整：${to!.day.slice(5)} 总值班`);
    expect((await get(clerk, to!.id)).changes.at(-1)).toMatchObject({ reason: '换回' });
    // Moves somebody to a vacant seat: the shift they leave has a gap.
    const gap = now.find((one) => one.id !== to!.id && one.id !== from_!.id && far(one, to!, b))!;
    await run((tx) => tx.execute(sql`delete from duty_person where shift_id = ${gap.id} and post = 2`));
    expect(await move(clerk, to!.id, { user: b.username, to: gap.id })).toMatchObject({ code: 0 });
    now = await shifts(clerk);
    expect(now.find((one) => one.id === to!.id)!.gap).toBe(1);
    expect(person(now, gap.id)).toBe(b);
  });
});

describe('the scope of duty plans', () => {
  test('lets a secretary create and see only drafts of their own departments, in every call', async () => {
    const near = await school.hire('近秘书', { roles: ['secretary'] });
    const far = await school.hire('远秘书', { roles: ['secretary'], dept: school.elsewhere });
    const own = await newPlan('金丝雀值班', { lead_need: 0 }, near);
    expect(await make({ plan_id: own }, near)).toMatchObject({ code: 0 });
    expect((await shifts(near, '金丝雀值班')).length).toBe(14);
    for (const who of [far, outsider, team[0]!]) {
      expect(await shifts(who, '金丝雀值班')).toEqual([]);
      const [row] = await shifts(near, '金丝雀值班');
      expect((await who.ask(calls.get, { params: { id: row!.id } })).code).toBe(codes.absent);
    }
    const [row] = await shifts(near, '金丝雀值班');
    const staff = [team[5]!.username];
    const tries = [
      await far.ask(calls.change, { params: { id: row!.id }, body: { staff } as never }),
      await far.ask(calls.make, { body: { plan_id: own, from, to: from } as never }),
      await far.ask(calls.changePlan, { params: { id: own }, body: { name: '改名' } as never }),
    ];
    for (const one of tries) expect(one.code).toBe(codes.absent);
    expect(JSON.stringify(await far.get(calls.plans, {}))).not.toContain('金丝雀');
    expect(
      (await far.ask(calls.publish, { body: { month: row!.day.slice(0, 7), force: true } as never })).code,
    ).not.toBe(0);
    expect(JSON.stringify(await far.get(calls.statistics, {}))).not.toContain('金丝雀');
  });

  test('gives a plan without a department to its keeper, and its roster to all readers', async () => {
    const own = await newPlan('校级值班', { lead_need: 0 });
    await run((tx) => tx.execute(sql`update duty_plan set dept_id = null where id = ${own}`));
    await make({ plan_id: own });
    await publish(true);
    const far = await school.hire('别处秘书', { roles: ['secretary'], dept: school.elsewhere });
    for (const [who, movable] of [
      [clerk, true],
      [far, false],
    ] as const)
      expect((await shifts(who, '校级值班'))[0]).toMatchObject({ movable });
  });

  test('shows in the leaders’ week who is on duty by published shifts', async () => {
    const all = await ready();
    const { duty } = await outsider.get(leaders.board, { query: { date: all[0]!.day } as never });
    expect(duty.find((one) => one.id === all[0]!.id)).toMatchObject({
      name: '总值班',
      phone: '8110',
      people: ['陈校长', staffOf(all[0]!).alias],
    });
  });

  test('shows everybody who is on duty now and the number to call', async () => {
    const all = await ready();
    await beginsIn(all[0]!.id, -10);
    const { now, mine } = await outsider.get(calls.today, {});
    expect(now.find((one) => one.id === all[0]!.id)).toMatchObject({ phone: '8110' });
    expect(mine).toEqual([]);
    expect((await clientOf(all[0]!).get(calls.today, {})).mine.map((one) => one.id)).toContain(all[0]!.id);
    await run((tx) => tx.execute(sql`delete from duty_shift where id = ${all[0]!.id}`));
  });
});

test('the shifts of a leaver go to another person or become gaps for the plan’s keeper', async () => {
  const gone = await school.hire('将离');
  const heir = await school.hire('接手');
  const few = await newPlan('周末班', { lead_need: 0, staff: pool(gone) });
  from = house.from = dayAfter(today, 5);
  for (const day of [from, dayAfter(from, 3)]) await make({ plan_id: few, from: day, to: day });
  await publish(true);
  const held = await dutyLeaves[0]!.openOf(school.office.db as never, gone.userId, 10);
  expect(held.rows).toMatchObject([{ note: '值班员' }, { note: '值班员' }]);
  const [handed, left] = held.rows;
  const entries = (who: Client) =>
    dutyFeeds['duty']!.entries(school.office.db as never, { id: who.userId } as never, from, dayAfter(from, 9));
  expect((await entries(gone)).map((one) => one.id)).toEqual([handed!.id, left!.id]);
  const give = { params: { id: gone.userId }, body: { target_username: heir.username, kinds: ['duty'] } } as never;
  expect(await school.office.admin.get(leaving.handOver, give)).toEqual({ moved: 2, ended: 0, kept: [] });
  // Their calendars say so at once.
  expect(await entries(gone)).toEqual([]);
  expect(await entries(heir)).toMatchObject([{ title: '值班：周末班（值班员）' }, {}]);
  await run((tx) => tx.execute(sql`update app_user set is_active = false where id = ${heir.userId}`));
  const name = `缺人：${from.slice(5)} 周末班`;
  expect(await waiting(clerk)).toContain(name);
  const fill = {
    params: { id: handed!.id },
    body: { staff: [outsider.username], force: true, reason: '离岗' },
  } as never;
  expect(await clerk.ask(calls.change, fill)).toMatchObject({ code: 0 });
  expect(await waiting(clerk)).not.toContain(name);
});

test('a plan that puts nobody on duty is refused with what to fill in', async () => {
  const nobody = { name: '无人班', lead_need: 0, staff_need: 0, backup_need: 0 };
  const refused = await clerk.ask(calls.addPlan, { body: nobody as never });
  expect(refused).toRefuse(planEmpty, '无人班');
  expect(refused.msg).toContain('请至少填写一个岗位的人数');
  const id = await newPlan('一人班', { lead_need: 0 });
  expect(await clerk.ask(calls.changePlan, { params: { id }, body: { staff_need: 0 } as never })).toRefuse(
    planEmpty,
    '一人班',
  );
  await expect(duty.execute(sql`update duty_plan set staff_need = 0 where id = ${id}`)).rejects.toThrow('duty_plan');
});

test('a month, a shift and today’s duty take a fixed number of statements, however many shifts there are', async () => {
  const all = await ready();
  const month = all[0]!.day.slice(0, 7);
  const count = async (work: () => Promise<unknown>) => (await counted(clerk, work)).length;
  const roster = await count(() => clerk.get(calls.roster, { query: { month } as never }));
  const page = await count(() => get(clerk, all[0]!.id));
  const now = await count(() => clerk.get(calls.today, {}));
  const made = await count(() => make({ from: dayAfter(from, 14), to: dayAfter(from, 41) }));
  const one = await count(() => make({ from: dayAfter(from, 42), to: dayAfter(from, 42) }));
  const swapped = await count(() =>
    swap(clerk, all[7]!.id, { user: staffOf(all[7]!).username, with: freeFor(all[7]!, all).username }),
  );
  expect({ roster, page, now, made, one, swapped }).toEqual({
    roster: 4,
    page: 7,
    now: 1,
    made: 22,
    one: 22,
    swapped: 24,
  });
});
