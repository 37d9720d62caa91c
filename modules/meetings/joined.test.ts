import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { codes } from '#kernel/contract/refusal.ts';
import { items } from '#modules/supervision/contract/supervise.ts';
import type { Client } from '#apps/server/testing.ts';
import { minutes } from './contract/minutes.ts';
import { openMeetings } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
let times: ReturnType<typeof timesOf>;
let supervisor: Client;
beforeAll(async () => {
  house = await openMeetings();
  times = timesOf(house);
  supervisor = await house.hire('督办员', { roles: ['supervise_admin'] });
});
afterAll(() => house.office.close());

const raise = (id: number, who: Client, nos?: number[]) =>
  who.ask(minutes.raise, { params: { id }, body: { ...(nos && { nos }) } });
const said = (id: number, who: Client) => who.get(minutes.get, { params: { id } });
const keep = (id: number, body: object) => house.staff.get(minutes.keep, { params: { id }, body: body as never });
const raisedOf = async (id: number) =>
  (
    await house.office.db.execute<{ source_key: string; owner: number; due: string; source: number; status: number }>(
      sql`select source_key, owner, due_at::text due, source, status from supervise where source_module = 'meetings' and source_id = ${id}
        and not is_deleted order by source_key`,
    )
  ).rows;
/** A meeting under way that its supervisor attends, with what it decided. */
const decided = async (...decisions: object[]) => {
  const { staff } = house;
  const audience = { users: [supervisor.userId, house.librarian.userId] };
  const id = await house.meet({ title: '议事会', location: '操场', host_id: staff.userId, audience });
  await times.begin(id, -5);
  await times.pass();
  await keep(id, { act: 'save', content: '议定如下', decisions });
  return id;
};
const publish = async (id: number) => {
  await keep(id, { act: 'hand_in' });
  await keep(id, { act: 'publish' });
};

describe('what a meeting decided', () => {
  test('becomes one supervised item each, however often and by however many it is clicked', async () => {
    const { staff, librarian, stranger } = house;
    const id = await decided(
      { content: '修缮屋顶', owner_id: staff.userId, due: '2030-01-31' },
      { content: '更换门锁' },
      { content: '另行研究' },
    );
    expect((await raise(id, supervisor)).code).toBe(codes.notNow);
    await publish(id);
    expect((await said(id, supervisor)).actions).toEqual(['raise']);
    expect((await said(id, librarian)).actions).toEqual([]);
    expect((await raise(id, librarian)).code).toBe(codes.forbidden);
    expect((await raise(id, stranger)).code).toBe(codes.absent);
    const answers = await Promise.all(Array.from({ length: 12 }, () => raise(id, supervisor, [1, 2])));
    expect(answers.map((one) => one.code)).toEqual(answers.map(() => codes.ok));
    expect(new Set(answers.map((one) => JSON.stringify(one.data.value))).size).toBe(1);
    // The page of supervision itself asks for the same.
    const from = { module: 'meetings', id, key: '2' };
    const again = await supervisor.get(items.create, {
      body: { title: '更换门锁', source: 2, content: '', from, subs: [] } as never,
    });
    expect(again.id).toBe(answers[0]!.data.value[1]!.supervise_id);
    expect(await raisedOf(id)).toMatchObject([
      { source_key: '1', owner: staff.userId, due: expect.stringContaining('2030-01-31 23:59') as string, source: 2 },
      { source_key: '2', status: 0 },
    ]);
    const marks = (await said(id, librarian)).decisions.map((one) => one.supervised);
    expect(marks).toMatchObject([{ sn: expect.stringMatching(/^DB/) as string, state: '草稿' }, { state: '草稿' }, null]);
    expect((await raise(id, supervisor, [7])).code).toBe(codes.refused);
    expect((await raise(id, supervisor)).data.value).toHaveLength(3);
    expect((await said(id, supervisor)).actions).toEqual([]);
  });

  test('stands once an item was made of it, and no later decision takes its number', async () => {
    const id = await decided({ content: '第一件' }, { content: '第二件' });
    await publish(id);
    await supervisor.get(items.create, {
      body: { title: '第二件', source: 2, content: '', from: { module: 'meetings', id, key: '2' }, subs: [] } as never,
    });
    await keep(id, { act: 'save', content: '更正', decisions: [{ content: '第三件' }] });
    const now = (await said(id, house.staff)).decisions;
    const { databases } = house.office.services;
    const gone = databases.write((tx) => tx.execute(sql`delete from meet_decision where meet_id = ${id} and no = 2`));
    await expect(gone).rejects.toThrow("Failed query");
    expect(now.map((one) => [one.no, one.content, one.supervised !== null])).toEqual([
      [2, '第二件', true],
      [3, '第三件', false],
    ]);
  });
});
