import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { deptPersonTable } from '#modules/platform/people/tables.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { oversightCalls, stampRules } from '../contract/oversight.ts';
import { custodyKind } from '../contract/seal-codes.ts';
import { calls, inHours, openDesk } from '../testing/applications.ts';
import { sealing } from '../testing/sealings.ts';
import { findAlerts } from './alerts.ts';

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => void (desk = await openDesk()));
afterAll(() => desk.app.close());

/** The kinds of alerts about a seal. */
async function foundOf(stamp: number): Promise<number[]> {
  const { databases, settings } = desk.app.services;
  const rule = await settings.of(stampRules);
  await databases.write((tx) => findAlerts(tx, rule));
  const { value } = await desk.auditor.client.get(oversightCalls.alerts, { query: { per_page: 100 } });
  return value.filter((one) => one.stamp_id === stamp).map((one) => one.kind);
}

test('many times the usual copies for a department and kind count as unusual, once there is enough data', async () => {
  const stamp = await desk.seal();
  const some = (nth: number, copies: number) =>
    sealing(desk, stamp, { kind: 5, copies, sealed: copies, title: `报表${nth}`, text: `报表${nth}` });
  for (const nth of [1, 2, 3, 4]) await some(nth, 2);
  await some(5, 40);
  expect(await foundOf(stamp)).toEqual([]);
  for (const nth of [6, 7]) await some(nth, 2);
  expect(await foundOf(stamp)).toEqual([2]);
});

test('a file refused by one keeper counts as unusual when sent to another seal, but not to the same', async () => {
  const { seal, ready, applied, keeper, upload, clerk } = desk;
  const [first, second] = [await seal(), await seal()];
  const same = async () => [(await upload(clerk.client, '换章.pdf', '%PDF-1.4 换章')).id];
  const id = await ready([first], { files: await same() });
  const reason = { reason: '附件不全' };
  desk.expectOk(await keeper.client.ask(calls.refuse, { params: { id }, body: reason as never }));
  await applied([first], { files: await same() });
  expect(await foundOf(second)).toEqual([]);
  await applied([second], { files: await same() });
  expect(await foundOf(second)).toEqual([4]);
  expect(await foundOf(second)).toEqual([4]);
});

test('a sealing that nobody else approved counts as unusual, and a second approval makes it usual', async () => {
  const { app, register, handle } = desk;
  const dept = await app.dept('分部');
  const one = async (alias: string, roles: string[]) => {
    const person = await app.person({ alias, roles: [...roles, 'staff'], dept });
    return { ...person, client: await app.signIn(person) };
  };
  const both = await one('主任兼保管', ['seal_keeper', 'dept_fzr']);
  const member = await one('分部职员', []);
  const lead = { dept_id: dept, user_id: both.id, part: 'leader' as const };
  await app.services.databases.write((tx) => tx.insert(deptPersonTable).values(lead));
  const stamp = await register({ type: 6, dept_id: dept, keeper: both.username, supervisor: null });
  const id = await desk.applied([stamp], {}, member.client);
  const params = { id: (await desk.get(id, member.client)).ticket_id! };
  await both.client.get(tickets.handle, { params, body: { transition_id: 3, suggestion: '同意' } as never });
  desk.expectOk(await handle(both.client, id, [stamp], 'seal'));
  expect(await foundOf(stamp)).toContain(6);
  const usual = await desk.seal();
  desk.expectOk(await handle(desk.keeper.client, await desk.ready([usual]), [usual], 'seal'));
  expect(await foundOf(usual)).not.toContain(6);
});

test('a seal that is or came back late counts as unusual, one in time does not', async () => {
  const { seal, applied, run, handOver, handle, keeper, trip } = desk;
  const away = async (late: boolean) => {
    const stamp = await seal();
    const id = await applied([stamp], trip(0, 4));
    await desk.passes(id);
    desk.expectOk(await handOver(id, stamp));
    if (late)
      await run(`update stamp_loan set out_at = now() - interval '5 hours', due_at = now() - interval '1 hour'
        where stamp_id = ${stamp}`);
    return { stamp, back: () => handle(keeper.client, id, [stamp], 'return', { real_copies: 1 }) };
  };
  const [still, back, good] = [await away(true), await away(true), await away(false)];
  for (const one of [back, good]) desk.expectOk(await one.back());
  expect([await foundOf(still.stamp), await foundOf(back.stamp), await foundOf(good.stamp)]).toEqual([[7], [7], []]);
});

test('seal figures count sealings with their corrections, refusals, unused approvals and durations', async () => {
  const { seal, ready, handle, keeper, auditor, run } = desk;
  const stamp = await seal({ name: '统计用章' });
  const [done, , refused, unused] = [
    await ready([stamp], { copies: 5 }),
    await ready([stamp]),
    await ready([stamp]),
    await ready([stamp]),
  ];
  desk.expectOk(await handle(keeper.client, done, [stamp], 'seal', { real_copies: 3 }));
  desk.expectOk(await keeper.client.ask(calls.refuse, { params: { id: refused }, body: { reason: '缺页' } as never }));
  desk.expectOk(await desk.clerk.client.ask(calls.cancel, { params: { id: unused }, body: { reason: '不用了' } }));
  await run(`alter table stamp_use disable trigger stamp_use_append_only;
    insert into stamp_use (stamp_id, line_id, application_id, corrects_id, use_type, file_kind, file_name, dept_id, operator_id, copies,
      real_copies, keeper_id, sealed_at, search) select stamp_id, line_id, application_id, id, use_type, file_kind, file_name, dept_id,
      operator_id, copies, 4, keeper_id, sealed_at, search from stamp_use where application_id = ${done};
    alter table stamp_use enable trigger stamp_use_append_only;
    update stamp_application set ready_at = now() - interval '2 days' where id = ${done}`);
  const asked = { query: { stamp } as never };
  const { value } = await auditor.client.get(oversightCalls.statistics, asked);
  const page = value as unknown as Record<string, unknown> & { summary: object };
  expect(page.summary).toMatchObject({ count: 1, copies: 4, refused: 1, unused: 1 });
  expect(page['by_stamp']).toMatchObject([{ name: '统计用章', count: 1, copies: 4 }]);
  expect(page['by_kind']).toMatchObject([{ name: '证明', count: 1 }]);
  expect(page['by_outcome']).toMatchObject([{ refused: 1, unused: 1, wait_days: 2, out_days: null }]);
  expect((await keeper.client.ask(oversightCalls.statistics, asked)).code).toBe(4003);
});

test('a leaver’s kept, escorted and supervised seals are listed, and none is handed over without a custody record', async () => {
  const { seal, app, applied, trip, handOver, keeper, other, watcher, office } = desk;
  const stamp = await seal({ name: '离岗的章', supervisor: watcher.username, backup: other.username, type: 6 });
  const held = async (who: { id: number }) => {
    const { value } = await app.admin.get(leaving.open, { params: { id: who.id } });
    return value.find((kind) => kind.key === 'stamps')!.rows.find((row) => row.id === stamp)?.note;
  };
  expect([await held(keeper), await held(watcher), await held(other)]).toEqual(['保管人', '监印人', '备岗']);
  const id = await applied([stamp], trip(0, 4));
  await desk.passes(id);
  desk.expectOk(await handOver(id, stamp, keeper.client));
  // The escort becomes its keeper only while it is out, because nobody hands a seal to themselves.
  const until = inHours(9);
  const given = await desk.propose(keeper.client, stamp, { kind: custodyKind.caretaker, to: other.username, until });
  desk.expectOk(await desk.sign(other.client, given.data.id!));
  expect(await held(other)).toBe('外带陪同人、代管人、备岗');
  const body = { target_username: office.username, kinds: ['stamps'], ids: [stamp] };
  const { moved, kept } = await app.admin.get(leaving.handOver, { params: { id: other.id }, body });
  expect(moved).toBe(0);
  expect(kept.map((one) => one.msg)).toEqual([expect.stringContaining('“离岗的章”的归还由陪同人和保管人')]);
  expect(await desk.keptNow(stamp)).toBe('李保管');
});
