import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { codes } from '#kernel/contract/refusal.ts';
import type { Client } from '#apps/server/testing.ts';
import { beyondOwn } from './contract/refusals.ts';
import { calls, expectOk, openMeetings } from './testing/house.ts';

// Inviting many people together.
let house: Awaited<ReturnType<typeof openMeetings>>;
beforeAll(async () => {
  house = await openMeetings();
});
afterAll(() => house.office.close());

const online = { mode: 2, online_url: 'https://meet.example.cn/1', title: '党委会', type_id: 1 };
const everybody = { all: true };
const errorsOf = (answer: { data: unknown }) =>
  (answer.data as { errors: { field: string; msg: string }[] }).errors.map((one) => one.field);
const entries = async (id: number) =>
  (
    await house.office.db.execute<{ id: number; leader: number; state: number }>(
      sql`select s.id, a.leader_id leader, a.state from leader_schedule s join leader_attend a on a.schedule_id = s.id
        where s.source_module = 'meetings' and s.source_id = ${id} and s.cancelled_at is null order by a.leader_id`,
    )
  ).rows;
const leadersRole = async () =>
  (await house.office.db.execute<{ id: number }>(sql`select id from role where code = 'xld'`)).rows[0]!.id;

describe('calling a meeting', () => {
  test('is done for a department that the caller belongs to or manages, and by the office for any', async () => {
    const { staff, keeper, elsewhere, librarian } = house;
    const refused = await house.ask({ location: '操场', dept_id: elsewhere });
    expect([refused.code, errorsOf(refused)]).toEqual([codes.invalid, ['dept_id']]);
    const draft = await house.meet({ location: '操场', submit: false });
    const again = { params: { id: draft }, body: { title: '例会', dept_id: elsewhere } as never };
    expect((await staff.ask(calls.update, again)).code).toBe(codes.invalid);
    for (const who of [librarian, keeper])
      expectOk(await house.ask({ location: '操场', dept_id: elsewhere, host_id: who.userId }, who));
  });

  test('for the whole house, a role or another department needs the head and the office, and enters no leader’s week before', async () => {
    const { staff, head, clerk, principal, elsewhere } = house;
    for (const audience of [everybody, { roles: [await leadersRole()] }, { depts: [elsewhere] }]) {
      const id = await house.meet({ ...online, audience });
      expect(await house.get(id)).toMatchObject({ act_state: 1, state_name: '部门负责人审核' });
      expect([await entries(id), await house.heard(principal, '党委会')]).toEqual([[], []]);
    }
    const id = await house.meet({ ...online, audience: { roles: [await leadersRole()] } });
    expectOk(await house.decide(id, head, '同意'));
    expect(await entries(id)).toEqual([]);
    expectOk(await house.decide(id, clerk, '同意'));
    expect(await house.get(id)).toMatchObject({ act_state: 4 });
    expect((await entries(id)).map((one) => one.leader)).toEqual([principal.userId]);
    expect(await house.get(await house.meet({ ...online, audience: { users: [staff.userId] } }))).toMatchObject({
      act_state: 4,
    });
  });

  test('for one’s own department, or by its head, a leader or the office, needs no approval', async () => {
    const { staff, head, clerk, principal, dept, below } = house;
    for (const depts of [[dept], [below]])
      expect(await house.get(await house.meet({ ...online, audience: { depts } }))).toMatchObject({ act_state: 4 });
    for (const who of [head, clerk, principal]) {
      const answer = await house.ask({ ...online, audience: everybody, host_id: staff.userId }, who);
      // Leaders attend meetings; the right to create one depends on their role.
      if (answer.code === codes.forbidden) continue;
      expect(await house.get(answer.data!.id, who)).toMatchObject({ act_state: 4 });
    }
  });

  test('is limited to the number of people approved, however they are added', async () => {
    const { staff, head, keeper } = house;
    const id = await house.meet({ location: '操场', repeat: { freq: 'DAILY', interval: 1, days: [], count: 2 } });
    const add = (who: Client, scope: 'this' | 'all') =>
      who.ask(calls.edit, { params: { id }, body: { audience: everybody, scope } as never });
    for (const scope of ['this', 'all'] as const) {
      const refused = await add(staff, scope);
      expect(refused).toRefuse(beyondOwn, '全体人员');
      expect(refused.msg).toContain('请会务人员或部门负责人添加');
    }
    expect((await house.get(id)).audience).toMatchObject({ all: false });
    expectOk(await add(keeper, 'this'));
    expect((await house.get(id, head)).audience).toMatchObject({ all: true });
  });
});
