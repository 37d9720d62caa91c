import { afterAll, beforeAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { notALeader } from '#modules/platform/people/contract/refusals.ts';
import { notBoth, ownProposal } from './contract/refusals.ts';
import { superviseTasks } from './jobs/jobs.ts';
import { openSupervision } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openSupervision>>;
beforeAll(async () => void (house = await openSupervision()));
afterAll(() => house.app.close());

const finish = (id: number) => house.put(house.clerk, house.items.finish, id, { result: 1, finish_note: '已完成' });

test('a person who had a part of an item or reported on it cannot finish the item, even after the part moved', async () => {
  const { clerk, staff, sub, put, subs } = house;
  for (const reports of [false, true]) {
    const { id, subs: parts } = await house.run({ subs: [sub({ owner: clerk.userId })] });
    if (reports) expect((await house.report(parts[0]!, 50, {}, clerk)).code).toBe(0);
    if (reports) {
      const [{ id: report }] = (await house.sql('select id from supervise_progress where sub_id = $1', [parts[0]]))
        .rows;
      expect((await house.check(report, 1, house.app.admin)).code, '管理员审核').toBe(0);
    }
    expect(
      (
        await put(clerk, subs.update, parts[0]!, {
          owner: staff.userId,
          version: (await house.part(parts[0]!)).version,
        })
      ).code,
    ).toBe(0);
    const done = await house.report(parts[0]!, 100, {}, staff);
    expect(done.code, done.msg).toBe(0);
    expect((await house.check(done.data.id, 1, house.app.admin)).code).toBe(0);
    const item = await house.get(id);
    expect([item.status, item.actions.includes('finish')]).toEqual([2, false]);
    expect((await finish(id)).code).toBe(4010);
  }
});

test('a leaver’s items as a leader go to another leader, never to the supervisor of an urgent item', async () => {
  const { hire, app, clerk } = house;
  const leader = await hire('离任领导', { roles: ['xld'] });
  const next = await hire('接任领导', { roles: ['xld'] });
  const ids = [
    await house.create({ leader: leader.userId }),
    (await house.run({ leader: leader.userId, level: 3, title: '紧急整改' })).id,
  ];
  const open = await app.admin.get(leaving.open, { params: { id: leader.userId } });
  const kind = open.value.find(({ key }) => key === 'supervision_leaders')!;
  // Named by number alone: the person who hands it over may not read its subject.
  const [usual, urgent] = await Promise.all(ids.map(async (id) => (await house.get(id)).sn));
  expect(kind.rows.map((row) => row.title)).toEqual([usual, urgent]);
  expect(kind.rows.map(({ id, note }) => [id, note])).toEqual(ids.map((id) => [id, '批示领导']));
  const hand = (target_username: string) =>
    app.admin.get(leaving.handOver, {
      params: { id: leader.userId },
      body: { target_username, kinds: ['supervision_leaders'] },
    });
  expect(await hand(clerk.username)).toEqual({
    moved: 0,
    ended: 0,
    kept: [
      {
        key: 'supervision_leaders',
        id: ids[0],
        title: usual,
        msg: notALeader('督办员', '作为批示领导').message,
      },
      { key: 'supervision_leaders', id: ids[1], title: urgent, msg: notBoth('紧急整改').message },
    ],
  });
  expect(await hand(next.username)).toEqual({ moved: 2, ended: 0, kept: [] });
  expect((await house.get(ids[1]!)).leader).toBe(next.userId);
});

test('heads of overdue departments and secretaries of late deciders are looked up once, however many there are', async ({
  skip,
}) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process');
  const { app, clerk, sub, staff, librarian, dept, elsewhere, principal, run, sql } = house;
  const parts: number[] = [];
  for (const [owner, of] of [
    [staff, dept],
    [librarian, elsewhere],
    [staff, dept],
  ] as const) {
    const { subs } = await run({ leader: principal.userId, subs: [sub({ owner: owner.userId, dept: of })] });
    parts.push(...subs);
  }
  await sql(
    `update supervise_sub set due_at = now() - interval '1 day', red_at = now() - interval '1 day' where id = any($1)`,
    [parts],
  );
  const [telling] = superviseTasks(app.services.databases);
  const statements = await counted(clerk, () => telling!.run({}, { now: new Date() } as never) as Promise<unknown>);
  expect(statements.filter((one) => one.includes('from dept_person'))).toHaveLength(1);
  expect(statements.filter((one) => one.includes('secretary')).length).toBeLessThanOrEqual(1);
  expect((await house.news(house.head, '逾期')).length).toBe(2);
  expect((await house.news(librarian, '逾期')).length).toBe(1);
});

test('an urgent item has two people: its leader is not its supervisor, and who proposes its end does not decide it', async () => {
  const { clerk, principal, put, items, run, create, reach, sql, get } = house;
  const urgent = { level: 3, leader: principal.userId, title: '紧急检查' };
  const made = await clerk.ask(items.create, {
    body: house.input({ ...urgent, supervisor: principal.userId }) as never,
  });
  expect(made).toRefuse(notBoth, '紧急检查');
  const plain = await create({ ...urgent, level: 2, supervisor: principal.userId });
  expect(await put(clerk, items.update, plain, { level: 3 })).toRefuse(notBoth, '紧急检查');
  const second = await house.hire('督办二', { roles: ['supervise_admin'] });
  const running = [];
  for (const who of [clerk, second]) {
    const { id, subs: parts } = await run(urgent);
    await reach(parts[0]!, 100);
    running.push(id);
    await sql(
      `insert into stand_in (from_id, to_id, starts_at, ends_at) values ($1, $2, now() - interval '1 hour', now() + interval '1 day')`,
      [principal.userId, who.userId],
    );
    const end = () => put(who, items.finish, id, { result: 1, finish_note: '完成' });
    await sql('update supervise set finish_by = $1 where id = $2', [who.userId, id]);
    const again = await end();
    if (who === clerk) expect(again).toMatchObject({ code: 0, data: { status: 2 } });
    else expect(again).toRefuse(ownProposal);
    if (who === clerk) expect((await put(clerk, items.terminate, id, { reason: '不做了' })).code).toBe(4010);
    await sql('delete from stand_in');
  }
  for (const id of running) {
    expect((await get(id)).status).toBe(2);
    expect((await put(principal, items.finish, id, { result: 1, finish_note: '同意' })).data.status).toBe(3);
  }
});
