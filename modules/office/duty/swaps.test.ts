import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import type { Client } from '#apps/server/testing.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { dutyCalls as calls } from './contract.ts';
import { openDuty } from './testing/duty.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { alreadyOut, notNow, notYours, swapMoved, swapOpen, unfit } from './contract/refusals.ts';

const duty = await openDuty();
const {
  clerk,
  get,
  outsider,
  team,
  newPlan,
  make,
  shifts,
  publish,
  ready,
  staffOf,
  clientOf,
  swap,
  answer,
  told,
  waiting,
  freeFor,
  run,
  execute,
} = duty;
beforeEach(() => void duty.next());
afterAll(() => duty.school.office.close());

describe('a swap of shifts', () => {
  test('is requested, answered once by the person asked only, and changes both shifts at once', async () => {
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

  test('requested twice at once is open once, and accepted twice at once happens once', async () => {
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

  test('is cancelled by a change of its shift; both people are told, and it can no longer be accepted', async () => {
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

  test('is cancelled when its shift is called off, which needs a reason that both people and the shift’s people hear', async () => {
    const all = await ready();
    const shift = all[3]!;
    const [me, other] = [clientOf(shift), freeFor(shift, all)];
    const { id } = (await swap(me, shift.id, { with: other.username })).data as { id: number };
    const params = { id: shift.id };
    expect(await clerk.ask(calls.remove, { params })).toRefuse(alreadyOut);
    expect((await clerk.ask(calls.cancel, { params, body: {} as never })).code).toBe(codes.invalid);
    const off = { params, body: { reason: '校区停电检修' } };
    expect((await me.ask(calls.cancel, off)).code).not.toBe(0);
    expect(await clerk.ask(calls.cancel, off)).toMatchObject({ code: 0 });
    for (const who of [me, other]) {
      const { value } = await who.get(calls.swaps, {});
      expect(value.find((one) => one.id === id)).toMatchObject({ state: 6, actions: [] });
      const news = (await who.get(messages.unread, { query: { per_page: 100 } as never })).value;
      const lapsed = news.find((one) => one.title.startsWith('换班申请作废'))!;
      expect((await who.get(messages.get, { params: { id: lapsed.id } })).content).toContain('校区停电检修');
    }
    expect(await told(me)).toContainEqual(expect.stringContaining('值班取消'));
    expect((await get(clerk, shift.id)).changes.at(-1)).toMatchObject({ becomes: '无', reason: '校区停电检修' });
    expect((await get(outsider, shift.id)).state).toBe(5);
    expect((await shifts(clerk)).map((one) => one.id)).not.toContain(shift.id);
    expect(await answer(other, id, 'agree')).toRefuse(swapMoved, '班次变动作废');
    const change = { version: (await get(clerk, shift.id)).version, staff: [other.username] };
    expect(await clerk.ask(calls.change, { params, body: change as never })).toRefuse(notNow, '已取消', '调整人员');
    const move = { user: me.username, to: all[4]!.id };
    expect(await clerk.ask(calls.move, { params, body: move as never })).toRefuse(notNow, '已取消', '移动人员');
    const theirs = { with: me.username, their_shift: shift.id };
    expect(await swap(clientOf(all[4]!), all[4]!.id, theirs)).toRefuse(notNow, '已取消', '换班');
    // A new shift may be made on that day.
    await make();
    expect((await shifts(clerk)).find((one) => one.day === shift.day)).toMatchObject({ state: 0 });
  });

  test('is refused with a person who already has a seat on that shift', async () => {
    const plan = await newPlan('双岗', {
      lead_need: 0,
      staff_need: 2,
      work_from: '07:10',
      work_to: '08:00',
      rest_from: '07:10',
      rest_to: '08:00',
    });
    await make({ plan_id: plan });
    await publish(true);
    const shift = (await shifts(clerk, '双岗'))[2]!;
    const [me, beside] = shift.people.map((one) => team.find((each) => each.userId === one.id)!);
    const asked = await swap(me!, shift.id, { with: beside!.username });
    expect(asked).toRefuse(unfit, [{ name: shift.people[1]!.alias, why: '同一时间已有值班', forcible: false }]);
    // A viewer who does not keep the plan is told who may change the shift.
    const far = await duty.school.hire('远秘书', { roles: ['secretary'], dept: duty.school.elsewhere });
    const change = { version: shift.version, staff: [me!.username] };
    expect(await far.ask(calls.change, { params: { id: shift.id }, body: change as never })).toRefuse(
      notYours,
      '调整人员',
      '管理这个方案的人',
    );
  });

  test('is made by the office with a reason for a person who cannot, and by nobody else', async () => {
    const all = await ready();
    const shift = all[6]!;
    const other = freeFor(shift, all);
    const body = { user: staffOf(shift).username, with: other.username };
    expect((await swap(outsider, shift.id, body)).code).toBe(codes.forbidden);
    expect(await swap(clerk, shift.id, body)).toMatchObject({ code: 0, data: { state: 3 } });
    expect(clientOf((await shifts(clerk)).find((one) => one.id === shift.id)!)).toBe(other);
    // This also holds for people who have left but still stand on a shift.
    const gone = all[9]!;
    const left = staffOf(gone);
    await run((tx) => tx.execute(sql`update app_user set is_active = false where id = ${left.id}`));
    const given = { user: left.username, with: freeFor(gone, all).username };
    expect(await swap(clerk, gone.id, given)).toMatchObject({ code: 0, data: { state: 3 } });
    await run((tx) => tx.execute(sql`update app_user set is_active = true where id = ${left.id}`));
    // Sending the same people again changes nothing.
    const { version, changes } = await get(clerk, gone.id);
    const same = { version, staff: [given.with] };
    expect((await clerk.ask(calls.change, { params: { id: gone.id }, body: same as never })).code).toBe(0);
    expect((await get(clerk, gone.id)).changes).toHaveLength(changes.length);
  });

  test('when settled leaves the messages about another swap of the same shift in place', async () => {
    const two = await newPlan('双人班', {
      lead_need: 0,
      staff_need: 2,
      work_from: '00:10',
      work_to: '07:00',
      rest_from: '00:10',
      rest_to: '07:00',
    });
    await make({ plan_id: two });
    await publish(true);
    const all = await shifts(clerk, '双人班');
    const shift = all[0]!;
    const [first, second] = shift.people.map(({ id }) => team.find((one) => one.userId === id)!);
    const free = team.filter((one) => one !== first && one !== second);
    const asked: { by: Client; id: number; of: Client }[] = [];
    for (const by of [first!, second!])
      for (const of of free) {
        if (asked.some((one) => one.by === by || one.of === of)) continue;
        const answered = await swap(by, shift.id, { with: of.username });
        if (answered.code === 0) asked.push({ by, id: (answered.data as { id: number }).id, of });
      }
    expect(asked).toHaveLength(2);
    const heard = async ({ of }: { of: Client }) => (await told(of)).filter((one) => one.includes('请您替班')).length;
    const before = await heard(asked[1]!);
    expect((await answer(asked[0]!.by, asked[0]!.id, 'withdraw')).code).toBe(0);
    expect(await heard(asked[1]!)).toBe(before);
  });

  test('waits for the office’s approval if the plan says so', async () => {
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
    const early = await answer(clerk, id, 'confirm');
    expect([early.code, early.msg]).toEqual([codes.notNow, expect.stringContaining('还没有答复换班')]);
    expect(await answer(other, id, 'agree')).toMatchObject({ data: { state: 2 } });
    expect((await answer(other, id, 'confirm')).code).toBe(codes.forbidden);
    expect((await shifts(clerk, '夜班')).find((one) => one.id === shift.id)!.people[0]!.id).toBe(me.userId);
    // A swap that waits for the office is in the list's default view, too.
    for (const query of [{ category: 'todo' }, {}])
      expect((await clerk.get(calls.swaps, { query: query as never })).value.map((one) => one.id)).toContain(id);
    expect(await answer(clerk, id, 'confirm')).toMatchObject({ data: { state: 3 } });
  });
});
