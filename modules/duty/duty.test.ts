import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { counted } from '#apps/server/testing/counted.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { leaders } from '#modules/leaders/contract.ts';
import { messages } from '#modules/messages/contract.ts';
import { leaving } from '#modules/people/contract/leaves.ts';
import { waiting as waitingCalls } from '#modules/waits/contract.ts';
import { dutyCalls as calls, type Shift } from './contract.ts';
import { dayAfter } from './contract/codes.ts';
import { emptyLog, gapsLeft, notNow, openMatters, swapMoved, swapOpen, unfit } from './contract/refusals.ts';
import { dutyFeeds, dutyLeaves } from './server/brings.ts';
import { remindTomorrow, tellLate } from './server/told.ts';

let school: Awaited<ReturnType<typeof openSchool>>;
let clerk: Client;
let team: Client[];
let outsider: Client;
let plan: number;
let serial = 0;
const today = dayOf(new Date());
/** Each test has a fortnight of its own. */
let from: string;
beforeAll(async () => {
  school = await openSchool();
  clerk = school.clerk;
  team = await Promise.all(['甲', '乙', '丙', '丁', '戊', '己'].map((name) => school.hire(`值班${name}`)));
  outsider = school.stranger;
  plan = await newPlan('总值班');
});
afterAll(() => school.office.close());
beforeEach(() => (from = dayAfter(today, 3 + 20 * serial++)));

const run = (work: Parameters<typeof school.office.services.databases.write>[0]) =>
  school.office.services.databases.write(work as never);
const execute = async <T extends Record<string, unknown>>(text: ReturnType<typeof sql>) =>
  (await school.office.db.execute<T>(text)).rows;
const pool = (...people: Client[]) => ({ all: false, depts: [], roles: [], users: people.map((one) => one.userId) });
const newPlan = async (name: string, more: object = {}, who = clerk) =>
  (
    await who.get(calls.addPlan, {
      body: {
        name,
        lead: pool(school.principal),
        staff: pool(...team),
        phone: '8110',
        confirms: false,
        ...more,
      } as never,
    })
  ).id!;
const make = (more: object = {}, who = clerk) =>
  who.ask(calls.make, { body: { plan_id: plan, from, to: dayAfter(from, 13), ...more } as never });
const days = async (who: Client, of = from, to = dayAfter(of, 13)) => {
  const months = [...new Set([of.slice(0, 7), to.slice(0, 7)])];
  const all = await Promise.all(months.map((month) => who.get(calls.roster, { query: { month } as never })));
  return all.flatMap((one) => one.days).filter((one) => one.day >= of && one.day <= to);
};
const shifts = async (who: Client, name = '总值班'): Promise<Shift[]> =>
  (await days(who)).flatMap((one) => one.shifts).filter((one) => one.name === name);
const publish = async (force = false) => {
  for (const month of new Set([from.slice(0, 7), dayAfter(from, 13).slice(0, 7)]))
    await clerk.ask(calls.publish, { body: { month, force } as never });
};
const ready = async (more: object = {}) => {
  expect(await make(more)).toMatchObject({ code: 0 });
  await publish(true);
  return shifts(clerk);
};
const staffOf = (shift: Shift) => shift.people.find((one) => one.post === 2)!;
const clientOf = (shift: Shift) => team.find((one) => one.userId === staffOf(shift).id)!;
const get = (who: Client, id: number) => who.get(calls.get, { params: { id } });
const swap = (who: Client, id: number, body: object) =>
  who.ask(calls.swap, { params: { id }, body: { reason: '家中有事', ...body } as never });
const answer = (who: Client, id: number, act: string) =>
  who.ask(calls.answerSwap, { params: { id }, body: { act } as never });
const told = async (who: Client) =>
  (await who.get(messages.unread, { query: { per_page: 100 } as never })).value.map((one) => one.title);
const waiting = async (who: Client) =>
  (await who.get(waitingCalls.mine, { query: { rows: 20 } as never })).value.flatMap((kind) =>
    kind.page.startsWith('leader/duty') ? kind.rows.map((row) => row.title) : [],
  );
/** Somebody of the team who is free for a shift, as the roster has it. */
const freeFor = (shift: Shift, all: readonly Shift[]) => {
  const near = (other: Shift) => Math.abs(Date.parse(other.day) - Date.parse(shift.day)) <= 2 * 86_400_000;
  return team.find(
    (one) => !all.some((other) => near(other) && other.people.some((person) => person.id === one.userId)),
  )!;
};
/** As if the shift were to begin so many minutes from now; what other tests had begun is over. */
const beginsIn = async (id: number, minutes: number, length = 40) => {
  await run(async (tx) => {
    await tx.execute(sql`create temp table moved on commit drop as select * from duty_person where shift_id = ${id}`);
    const from = sql`now() + ${minutes} * interval '1 minute'`;
    const to = sql`now() + ${minutes + length} * interval '1 minute'`;
    await tx.execute(
      sql`delete from duty_person where shift_id = ${id} or tstzrange(start_time, end_time) && tstzrange(${from}, ${to})`,
    );
    await tx.execute(sql`update duty_shift set start_time = ${from}, end_time = ${to} where id = ${id}`);
    await tx.execute(
      sql`insert into duty_person select shift_id, user_id, post, s.start_time, s.end_time, source, why, null from moved join duty_shift s on s.id = shift_id`,
    );
  });
};

describe('a roster', () => {
  test('is made in one step, tried before it is written, and is nobody’s to see but the office’s until it is published', async () => {
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

  test('of a holiday week gives each day its kind and name, and shares the heavy days', async () => {
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

  test('keeps what was set by hand, and leaves what is published as it is', async () => {
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

  test('names a gap to whoever looks after the plan until it is filled, and is published with one only on purpose', async () => {
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

  test('puts nobody where they are away, tired, or not meant, unless the office says why it must be so', async () => {
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
});

describe('a swap', () => {
  test('is asked, answered with one call, and changes both shifts at once; whoever is not asked answers nothing', async () => {
    const all = await ready();
    const mine = all[2]!;
    const me = clientOf(mine);
    const theirs = all.find(
      (one) =>
        one.kind === mine.kind &&
        Date.parse(one.day) - Date.parse(mine.day) > 4 * 86_400_000 &&
        clientOf(one) !== me &&
        !all.some(
          (other) =>
            other !== mine &&
            Math.abs(Date.parse(other.day) - Date.parse(one.day)) <= 86_400_000 &&
            clientOf(other) === me,
        ) &&
        !all.some(
          (other) =>
            other !== one &&
            Math.abs(Date.parse(other.day) - Date.parse(mine.day)) <= 86_400_000 &&
            clientOf(other) === clientOf(one),
        ),
    );
    const other = clientOf(theirs!);
    const asked = await swap(me, mine.id, { with: other.username, their_shift: theirs!.id });
    expect(asked).toMatchObject({ code: 0, data: { state: 1 } });
    const { id } = asked.data as { id: number };
    expect(await waiting(other)).toContain(`换班待答复：${mine.day.slice(5)} 总值班`);
    for (const who of [outsider, me, team.find((one) => one !== me && one !== other)!])
      expect((await answer(who, id, 'agree')).code).not.toBe(0);
    expect(
      await swap(me, mine.id, { with: team.find((one) => one !== me && one !== other)!.username }),
    ).not.toMatchObject({ code: 0 });
    expect(await answer(other, id, 'agree')).toMatchObject({ code: 0, data: { state: 3 } });
    const after = await shifts(clerk);
    expect(clientOf(after.find((one) => one.id === mine.id)!)).toBe(other);
    expect(clientOf(after.find((one) => one.id === theirs!.id)!)).toBe(me);
    expect(await waiting(other)).not.toContain(`换班待答复：${mine.day.slice(5)} 总值班`);
    expect(await told(other)).not.toContainEqual(expect.stringContaining('请您换班'));
    expect(await answer(other, id, 'agree')).toRefuse(swapMoved, '已换班');
  });

  test('asked twice of one shift at once is open once, and agreed to twice at once changes hands once', async () => {
    const all = await ready();
    for (const shift of all.slice(0, 4)) {
      const current = await shifts(clerk);
      const me = clientOf(current.find((one) => one.id === shift.id)!);
      const free = team
        .filter(
          (one) =>
            one !== me &&
            !current.some(
              (other) =>
                Math.abs(Date.parse(other.day) - Date.parse(shift.day)) <= 86_400_000 && clientOf(other) === one,
            ),
        )
        .slice(0, 2);
      expect(free.length).toBe(2);
      const asked = await Promise.all(free.map((one) => swap(me, shift.id, { with: one.username })));
      const [won, lost] = asked.toSorted((a, b) => a.code - b.code);
      expect(won!.code).toBe(0);
      expect(lost).toRefuse(swapOpen, staffOf(current.find((one) => one.id === shift.id)!).alias);
      const { id } = won!.data as { id: number };
      const winner = free[asked.indexOf(won!)]!;
      const answers = await Promise.all([
        answer(winner, id, 'agree'),
        answer(winner, id, 'agree'),
        answer(me, id, 'withdraw'),
      ]);
      expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
      const [row] = await execute<{ people: number }>(
        sql`select count(*)::int people from duty_person where shift_id = ${shift.id} and post = 2`,
      );
      expect(row!.people).toBe(1);
    }
  });

  test('ends with a change of its shift, both are told, and it cannot be agreed to any more', async () => {
    const all = await ready();
    const shift = all[3]!;
    const me = clientOf(shift);
    const other = freeFor(shift, all);
    const { id } = (await swap(me, shift.id, { with: other.username })).data as { id: number };
    const [moved, agreed] = await Promise.all([
      clerk.ask(calls.change, {
        params: { id: shift.id },
        body: { staff: [outsider.username], force: true, reason: '抽调' } as never,
      }),
      answer(outsider, id, 'agree'),
    ]);
    expect(moved.code).toBe(0);
    expect(agreed.code).toBe(codes.absent);
    expect(await answer(other, id, 'agree')).toRefuse(swapMoved, '班次变动作废');
    expect(await told(me)).toContainEqual(expect.stringContaining('换班申请作废'));
    expect(await told(other)).toContainEqual(expect.stringContaining('换班申请作废'));
  });

  test('is done by the office for whoever cannot, with a reason, and by nobody else', async () => {
    const all = await ready();
    const shift = all[6]!;
    const other = freeFor(shift, all);
    const body = { user: staffOf(shift).username, with: other.username };
    expect((await swap(outsider, shift.id, body)).code).toBe(codes.forbidden);
    expect(await swap(clerk, shift.id, body)).toMatchObject({ code: 0, data: { state: 3 } });
    expect(clientOf((await shifts(clerk)).find((one) => one.id === shift.id)!)).toBe(other);
  });

  test('waits for the office where the plan says so', async () => {
    const strict = await newPlan('夜班', {
      lead_need: 0,
      confirms: true,
      work_from: '00:10',
      work_to: '07:00',
      rest_from: '00:10',
      rest_to: '07:00',
    });
    await make({ plan_id: strict });
    await publish(true);
    const all = await shifts(clerk, '夜班');
    const shift = all[0]!;
    const me = clientOf(shift);
    const other = freeFor(shift, all);
    const { id } = (await swap(me, shift.id, { with: other.username })).data as { id: number };
    expect(await answer(other, id, 'agree')).toMatchObject({ data: { state: 2 } });
    expect((await answer(other, id, 'confirm')).code).toBe(codes.forbidden);
    expect((await shifts(clerk, '夜班')).find((one) => one.id === shift.id)!.people[0]!.id).toBe(me.userId);
    expect(
      (await clerk.get(calls.swaps, { query: { category: 'todo' } as never })).value.map((one) => one.id),
    ).toContain(id);
    expect(await answer(clerk, id, 'confirm')).toMatchObject({ data: { state: 3 } });
  });
});

describe('a shift under way', () => {
  const begin = async () => {
    const all = await ready();
    await beginsIn(all[0]!.id, -30);
    return all;
  };
  const take = (who: Client, id: number) => who.ask(calls.takeOver, { params: { id }, body: { result: '正常' } });
  const log = (who: Client, id: number, body: object) =>
    who.ask(calls.log, { params: { id }, body: { kind: 1, content: '来电询问', ...body } as never });
  const hand = (who: Client, id: number, open: number[] = []) =>
    who.ask(calls.handOver, { params: { id }, body: { open, note: '' } });

  test('is told of once while nobody took it over, and not after; on two devices it is taken over once', async () => {
    const all = await begin();
    const shift = all[0]!;
    const me = clientOf(shift);
    const late = async () =>
      (await told(me)).filter((one) => one === `值班未接班：${shift.day.slice(5)} 总值班`).length;
    await run(tellLate);
    await run(tellLate);
    expect(await late()).toBe(1);
    expect(await waiting(me)).toContain(`待接班：${shift.day.slice(5)} 总值班`);
    expect((await take(outsider, shift.id)).code).toBe(codes.forbidden);
    const both = await Promise.all([take(me, shift.id), take(me, shift.id)]);
    expect(both.filter((one) => one.code === 0)).toHaveLength(1);
    expect(both.find((one) => one.code !== 0)).toRefuse(notNow, '已经接班', '接班');
    await run(tellLate);
    expect(await late()).toBe(0);
    expect(await waiting(me)).not.toContain(`待接班：${shift.day.slice(5)} 总值班`);
    await log(me, shift.id, { handled: true });
    expect(await hand(me, shift.id)).toMatchObject({ code: 0 });
  });

  test('ends once its log says how each matter stands; what is open reaches the next log, whoever takes over', async () => {
    const all = await begin();
    const [shift, next] = [all[0]!, all[1]!];
    const me = clientOf(shift);
    await take(me, shift.id);
    expect(await hand(me, shift.id)).toRefuse(emptyLog);
    await log(me, shift.id, { content: '水管爆裂', urgent: true, kind: 4 });
    expect(await told(school.principal)).toContainEqual(expect.stringContaining('突发情况'));
    await log(me, shift.id, { content: '门卫报修', handled: true });
    expect(await hand(me, shift.id)).toRefuse(openMatters, ['水管爆裂']);
    const { log: entries } = await get(me, shift.id);
    const open = entries.find((one) => !one.handled)!.id;
    await beginsIn(next.id, 10);
    expect((await take(clientOf(next), next.id)).msg).toContain('还没有交班');
    expect(await hand(me, shift.id, [open])).toMatchObject({ code: 0 });
    expect(await log(me, shift.id, {})).toRefuse(notNow, '已交班', '记日志');
    expect(await take(clientOf(next), next.id)).toMatchObject({ code: 0 });
    expect((await get(clientOf(next), next.id)).log).toMatchObject([{ id: open, content: '水管爆裂', handled: false }]);
    const closing = await Promise.all(
      [1, 2].map(() => log(clientOf(next), next.id, { content: '已抢修', closes: open })),
    );
    expect(closing.filter((one) => one.code === 0)).toHaveLength(1);
    expect((await get(clientOf(next), next.id)).log.every((one) => one.handled)).toBe(true);
    await expect(
      run((tx) => tx.execute(sql`update duty_entry set content = '没有事' where id = ${open}`)),
    ).rejects.toThrow('Failed query');
    expect(await hand(clientOf(next), next.id)).toMatchObject({ code: 0 });
  });

  test('keeps its log from everybody who is neither on it nor looks after the plan: page, paper and messages', async () => {
    const all = await begin();
    const shift = all[0]!;
    const me = clientOf(shift);
    await take(me, shift.id);
    await log(me, shift.id, { content: '金丝雀密语' });
    const seen = await outsider.get(calls.get, { params: { id: shift.id } });
    expect(JSON.stringify(seen)).not.toContain('金丝雀密语');
    expect((await outsider.ask(calls.logPdf, { params: { id: shift.id } })).code).not.toBe(0);
    expect(
      (await outsider.ask(calls.log, { params: { id: shift.id }, body: { kind: 1, content: '插话' } as never })).code,
    ).toBe(codes.forbidden);
    expect(JSON.stringify(await get(clerk, shift.id))).toContain('金丝雀密语');
  });

  test('the evening before, whoever has it then is reminded, not who had it first', async () => {
    const all = await ready();
    const shift = all[4]!;
    const me = clientOf(shift);
    const other = freeFor(shift, all);
    await swap(clerk, shift.id, { user: me.username, with: other.username });
    const eve = new Date(`${dayAfter(shift.day, -1)}T17:00:00+08:00`);
    await run((tx) => remindTomorrow(tx, eve));
    await run((tx) => remindTomorrow(tx, eve));
    expect((await told(other)).filter((one) => one === '明日值班：总值班')).toHaveLength(1);
    expect(await told(me)).not.toContain('明日值班：总值班');
  });
});

describe('scope', () => {
  test('a secretary makes and sees the drafts of their own departments alone, in every call', async () => {
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

  test('the week of the leaders shows who is on duty, of what is published', async () => {
    const all = await ready();
    const { duty } = await outsider.get(leaders.board, { query: { date: all[0]!.day } as never });
    expect(duty.find((one) => one.id === all[0]!.id)).toMatchObject({
      name: '总值班',
      phone: '8110',
      people: ['陈校长', staffOf(all[0]!).alias],
    });
  });

  test('who is on duty now is everybody’s to see, with the number to call', async () => {
    const all = await ready();
    await beginsIn(all[0]!.id, -10);
    const { now, mine } = await outsider.get(calls.today, {});
    expect(now.find((one) => one.id === all[0]!.id)).toMatchObject({ phone: '8110' });
    expect(mine).toEqual([]);
    expect((await clientOf(all[0]!).get(calls.today, {})).mine.map((one) => one.id)).toContain(all[0]!.id);
    await run((tx) => tx.execute(sql`delete from duty_shift where id = ${all[0]!.id}`));
  });
});

test('whoever leaves with shifts ahead leaves them to another, or leaves gaps that wait for the keeper', async () => {
  const gone = await school.hire('将离');
  const heir = await school.hire('接手');
  const few = await newPlan('周末班', { lead_need: 0, staff: pool(gone) });
  from = dayAfter(today, 5);
  for (const day of [from, dayAfter(from, 3)]) await make({ plan_id: few, from: day, to: day });
  await publish(true);
  const held = await dutyLeaves[0]!.openOf(school.office.db as never, gone.userId, 10);
  expect(held.rows).toMatchObject([{ note: '值班员' }, { note: '值班员' }]);
  const [handed, left] = held.rows;
  const entries = (who: Client) =>
    dutyFeeds['duty']!.entries(school.office.db as never, { id: who.userId } as never, from, dayAfter(from, 9));
  expect((await entries(gone)).map((one) => one.id)).toEqual([handed!.id, left!.id]);
  const give = { params: { id: gone.userId }, body: { target_username: heir.username, kinds: ['duty'] } } as never;
  expect(await school.office.admin.get(leaving.handOver, give)).toEqual({ moved: 2, kept: [] });
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

test('a month, a shift and today cost as many statements however many shifts there are', async () => {
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
    roster: 3,
    page: 6,
    now: 1,
    made: 22,
    one: 22,
    swapped: 24,
  });
});
