import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPassword } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { ledgerCalls, type Use } from '../contract/ledger.ts';
import { oversightCalls } from '../contract/oversight.ts';
import { noSecond } from '../contract/refusals.ts';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { custodyKind } from '../contract/seal-codes.ts';
import { sealCalls } from '../contract/seals.ts';
import { calls, openDesk } from '../testing/applications.ts';
import { remindLapsed } from './tasks.ts';

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => void (desk = await openDesk()));
afterAll(() => desk.app.close());

test('a two-person sealing counts only once the second person confirmed it themselves', async () => {
  const { register, applied, handle, keeper, watcher, clerk, other } = desk;
  const stamp = await register({ type: 4 });
  const id = await applied([stamp]);
  await desk.passes(id);
  desk.expectOk(await handle(keeper.client, id, [stamp], 'seal'));
  expect(await desk.line(id, stamp)).toMatchObject({ state: 1, actions: [] });
  const confirm = (who: typeof keeper, body: object) =>
    who.client.ask(calls.confirm, { params: { id }, body: body as never });
  for (const who of [keeper, clerk]) expect((await confirm(who, { password: testPassword })).code).toBe(4003);
  expect((await confirm(other, { password: testPassword })).code).toBe(4004);
  expect((await confirm(watcher, {})).code).toBe(-1);
  expect((await confirm(watcher, { password: 'wrong' })).code).toBe(-1);
  for (const who of [watcher, keeper]) expect((await desk.get(id, who.client)).code).toBe('');
  expect((await desk.get(id)).seal_status).toBe(1);
  desk.expectOk(await confirm(watcher, { code: (await desk.get(id)).code }));
  expect((await desk.get(id)).seal_status).toBe(2);
});

test('a two-person seal without a second person says so, and can be neither applied for nor used', async () => {
  const { register, apply, applied, handle, keeper, office, head, seal, clerk, propose } = desk;
  // The state that a later change of the rule leaves.
  const becomesTwo = (id: number) => desk.run(`update stamp set type = 4 where id = ${id}`);
  const alone = await register({ type: 6, name: '独用章', supervisor: null });
  await becomesTwo(alone);
  const { warning } = await office.client.get(sealCalls.stamp, { params: { id: alone } });
  expect(warning).toBe('这类印章须双人用印，还没有监印人，用印后无人可以确认，请办理监印变更');
  expect(await apply([alone])).toRefuse(noSecond, '独用章');
  const watched = await register({ type: 6, name: '曾双人章' });
  const id = await applied([watched]);
  await desk.passes(id);
  desk.expectOk(await propose(office.client, watched, { kind: custodyKind.reappoint, supervisor: null }));
  await becomesTwo(watched);
  expect(await handle(keeper.client, id, [watched], 'seal')).toRefuse(noSecond, '曾双人章');
  expect(await desk.line(id, watched, keeper.client)).toMatchObject({ state: 1, actions: ['seal', 'refuse'] });
  const mine = await desk.ready([await seal()]);
  const none = await handle(keeper.client, mine, [(await desk.get(mine)).lines[0]!.stamp_id], 'seal', {
    real_copies: 0,
  });
  expect(none.msg).toBe('用印份数：至少 1 份；不予用印的请选择拒绝用印');
  const elsewhere = { params: { id: mine }, body: { lines: [{ stamp_id: watched, day: null, part: null }] } };
  expect((await clerk.client.ask(calls.appoint, elsewhere as never)).msg).toBe('印章：这项申请没有这枚印章');
  desk.expectOk(await propose(head.client, watched, { kind: custodyKind.suspend }));
  const { value } = await clerk.client.get(calls.slots, { params: { id: watched } });
  expect(new Set(value.map(({ left, why }) => `${left} ${why}`))).toEqual(new Set(['0 印章已停用']));
});

/** Registers a sealing that waits for the second person. */
async function pending(more: object = {}) {
  const stamp = await desk.register({ type: 4, ...more });
  const id = await desk.applied([stamp]);
  await desk.passes(id);
  desk.expectOk(await desk.handle(desk.keeper.client, id, [stamp], 'seal'));
  return { stamp, id };
}
const confirm = (id: number, body: object) =>
  desk.watcher.client.ask(calls.confirm, { params: { id }, body: body as never });

test('the second person confirms with their own password within thirty minutes, otherwise the keeper asks again', async () => {
  const { keeper, watcher, auditor, handle, run, titles } = desk;
  const counts = async (who = keeper) => who.client.get(calls.counts);
  const before = await counts();
  const late = await pending();
  expect((await counts()).to_seal).toBe(before.to_seal);
  expect((await counts(watcher)).to_confirm).toBe(1);
  const waits = async (who = watcher) =>
    (await who.client.get(waiting.mine)).value.filter((one) => one.title === '待监印').map((one) => one.count);
  expect([await waits(), await waits(keeper)]).toEqual([[1], []]);
  const listed = await watcher.client.get(calls.list, { query: { category: 'second' } as never });
  expect(listed.value.map((row) => row.id)).toEqual([late.id]);
  const minutesAgo = (minutes: number) =>
    run(`update stamp_line set pending = pending || jsonb_build_object('asked', to_char(now() - interval '${minutes} minutes', 'YYYY-MM-DD HH24:MI:SS'))
      where application_id = ${late.id}`);
  const ask = (who = keeper) => who.client.ask(calls.askSecond, { params: { id: late.id }, body: {} });
  expect((await ask()).msg).toContain('没有过时未监印');
  const at = (await desk.line(late.id, late.stamp)).pending_at;
  await minutesAgo(31);
  expect((await confirm(late.id, { password: testPassword })).msg).toContain('超过 30 分钟');
  expect((await counts()).to_seal).toBe(before.to_seal + 1);
  expect((await desk.line(late.id, late.stamp, keeper.client)).actions).toEqual(['ask_second']);
  expect((await handle(keeper.client, late.id, [late.stamp], 'seal')).msg).toContain('待监印');
  for (let nth = 0; nth < 2; nth += 1) await desk.app.services.databases.write(remindLapsed);
  expect((await titles(keeper.client)).filter((one) => one.startsWith('未监印'))).toHaveLength(1);
  expect((await ask(desk.other)).code).not.toBe(0);
  desk.expectOk(await ask());
  await minutesAgo(29);
  desk.expectOk(await confirm(late.id, { password: testPassword }));
  expect(await desk.line(late.id, late.stamp)).toMatchObject({ state: 2 });
  const { value } = await auditor.client.get(ledgerCalls.ledger, { query: { stamp: late.stamp } });
  expect((value as Use[]).map((one) => [one.sealed_at, one.pictures.length])).toEqual([[at, 1]]);
});

test('a sealing with two seals has a row, pictures and a number for each, and only the chosen seals are used', async () => {
  const { seal, ready, handle, keeper, auditor, picture } = desk;
  const [one, other, third] = [await seal(), await seal(), await seal()];
  const id = await ready([one, other, third]);
  const pictures = [await picture(keeper.client), await picture(keeper.client)];
  desk.expectOk(await handle(keeper.client, id, [one, other], 'seal', { pictures }));
  const { sn, progress } = await desk.get(id);
  expect(progress).toEqual({ done: 2, total: 3 });
  for (const stamp of [one, other]) {
    const { value } = await auditor.client.get(ledgerCalls.ledger, { query: { stamp } });
    const [use] = value as Use[];
    expect([use!.sn, use!.pictures.length]).toEqual([sn, 2]);
    for (const { id: file } of use!.pictures)
      expect((await auditor.client.fetch(`/api/file/${file}/`)).headers.get('content-type')).toMatch('image/');
  }
});

test('an application that was sealed once cannot be refused any more, even before it is confirmed', async () => {
  const { register, applied, handle, keeper } = desk;
  const stamp = await register({ type: 4 });
  const id = await applied([stamp]);
  await desk.passes(id);
  desk.expectOk(await handle(keeper.client, id, [stamp], 'seal'));
  const refused = await keeper.client.ask(calls.refuse, { params: { id }, body: { reason: '看错了' } as never });
  expect(refused.msg).toContain('待监印');
});

test('applications are sealed in the order of their days, not of their approval', async () => {
  const { seal, ready, keeper, clerk, handle } = desk;
  const stamp = await seal();
  const { value } = await clerk.client.get(calls.slots, { params: { id: stamp } });
  const [soon, later] = value.filter((one) => one.left > 0);
  const none = await ready([stamp]);
  const second = await ready([{ stamp_id: stamp, day: later!.day, part: later!.part }]);
  const first = await ready([{ stamp_id: stamp, day: soon!.day, part: soon!.part }]);
  const order = async () => {
    const query = { category: 'desk', seal_status: 1, stamp, order_by: 'need_at' };
    return (await keeper.client.get(calls.list, { query: query as never })).value.map((row) => row.id);
  };
  expect(await order()).toEqual([first, second, none]);
  desk.expectOk(await handle(keeper.client, first, [stamp], 'seal'));
  expect(await order()).toEqual([second, none]);
});

test('using a seal at night needs a reason, whatever its opening hours', async () => {
  const { seal, ready, handle, keeper, office } = desk;
  const { value, version } = await office.client.get(oversightCalls.rule);
  const always = { 1: ['00:00', '23:59'], 2: null };
  const stamp = await seal({ office_hours: always });
  const id = await ready([stamp]);
  const set = (night: string, at: number) =>
    office.client.get(oversightCalls.saveRule, { body: { ...value, night, version: at } as never });
  await set('00:00–23:59', version);
  expect((await handle(keeper.client, id, [stamp], 'seal', { remark: '' })).msg).toContain('请在说明中写明原因');
  await set(value.night, version + 1);
});

test('a suspended or lost seal says so once, with the reason, to its applicants', async () => {
  const { seal, ready, clerk, head, propose } = desk;
  const stamp = await seal({ name: '失窃的章' });
  await ready([stamp], { title: '等章的文件' });
  desk.expectOk(await propose(head.client, stamp, { kind: custodyKind.lost, reason: '柜子被撬' }));
  const { id } = (await desk.box(clerk.client)).find((one) => one.title === '用印已取消：等章的文件')!;
  expect((await clerk.client.get(messages.get, { params: { id } })).content).toBe(
    '“失窃的章”已挂失：柜子被撬，申请中的这枚印章不再用印，请改用其他印章重新申请。',
  );
});

test('the number of applications to be sealed is the same in the badge, the tab and the list', async () => {
  const { keeper, run } = desk;
  const ids: number[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await desk.ready([await desk.seal(), await desk.seal()]));
  const all = ids.join(',');
  for (let round = 0; round < 4; round += 1) {
    await run(`update stamp_line set state = 1, pending = case when r < 0.3 then null else jsonb_build_object('by', 1, 'asked',
        to_char(now() - make_interval(mins => (r * 60)::int), 'YYYY-MM-DD HH24:MI:SS')) end
      from (select id of_line, random() r from stamp_line where application_id in (${all})) random where of_line = id`);
    const { value } = await keeper.client.get(waiting.mine, {});
    const badge = value.find((kind) => kind.page === 'stamp/desk')?.count ?? 0;
    const query = { category: 'desk', seal_status: 1 };
    const { total } = await keeper.client.get(calls.list, { query: query as never });
    expect([badge, (await keeper.client.get(calls.counts)).to_seal]).toEqual([total, total]);
  }
});

test('a place that is not available is refused with those that are, within the rules’ hours and the approval', async () => {
  const { clerk, office, run } = desk;
  const { value, version } = await office.client.get(oversightCalls.rule);
  await office.client.get(oversightCalls.saveRule, { body: { ...value, night: '12:00–08:00', version } as never });
  try {
    const stamp = await desk.seal();
    const { value: slots } = await clerk.client.get(calls.slots, { params: { id: stamp } });
    expect(slots.filter((slot) => slot.part === 2 && slot.left > 0)).toEqual([]);
    expect(slots.filter((slot) => slot.part === 1 && slot.left > 0).length).toBeGreaterThan(0);
    // Not the very next slot, which may be over before the test ends.
    const [, first, second] = slots.filter((slot) => slot.left > 0);
    const refused = await desk.apply([{ stamp_id: stamp, day: first!.day, part: 2 }]);
    expect(refused.msg).toContain('不办理用印，可改约');
    expect(refused.msg.split('可改约')[1]).not.toContain('下午');
    const id = await desk.ready([stamp]);
    await run(`update stamp_application set due_day = '${first!.day}' where id = ${id}`);
    const appoint = (day: string, part: number) =>
      clerk.client.ask(calls.appoint, { params: { id }, body: { lines: [{ stamp_id: stamp, day, part }] } as never });
    expect((await appoint(second!.day, 1)).msg).toBe(
      `批准有效期到 ${first!.day}，不能预约 ${second!.day}，请选择 ${first!.day} 及以前的时段，或重新申请`,
    );
    expect(((await appoint(first!.day, 2)).data as { free: object[] }).free).toEqual(
      [{ day: first!.day, part: 1 }].map((one) => expect.objectContaining(one)),
    );
    expect((await appoint(first!.day, 1)).code).toBe(0);
  } finally {
    await office.client.get(oversightCalls.saveRule, { body: { ...value, version: version + 1 } as never });
  }
});

test('a seal whose keeper left is reported at once to those who name another and those who wait, and cannot be applied for', async () => {
  const { app, dept, register, office, auditor, box, clerk, apply } = desk;
  const person = await app.person({ alias: '要走的保管人', dept, roles: ['staff', 'seal_keeper'] });
  const stamp = await register({ name: '无主章', type: 6, supervisor: null, keeper: person.username });
  desk.expectOk(await apply([stamp]));
  await desk.run(`update app_user set is_active = false where username = '${person.username}'`);
  const titles = async (who: typeof office) => (await box(who.client)).map((one) => one.title);
  await eventually(async () => expect(await titles(office)).toContain('“无主章”的保管人已离岗'));
  expect(await titles(auditor)).toContain('“无主章”的保管人已离岗');
  await eventually(async () => expect((await titles(clerk)).join()).toContain('暂时不能用印'));
  expect((await apply([stamp])).msg).toContain('“无主章”的保管人要走的保管人已不在岗，现在没有人可以用印');
});

/** Waits for a message with this title and returns its content. */
const told = async ({ client }: typeof desk.office, title: string) => {
  const { id } = await eventually(async () => {
    const found = (await desk.box(client)).find((one) => one.title === title);
    expect(found).toBeDefined();
    return found!;
  });
  return (await client.get(messages.get, { params: { id } })).content;
};

test('a two-person seal whose second person left is reported at once to those who name another and those who wait', async () => {
  const { app, dept, register, office, clerk, apply } = desk;
  const person = await app.person({ alias: '要走的监印人', dept, roles: ['staff', 'seal_keeper'] });
  const stamp = await register({ name: '双人章', type: 4, supervisor: person.username });
  desk.expectOk(await apply([stamp], { title: '两人用印的文件' }));
  await desk.run(`update app_user set is_active = false where username = '${person.username}'`);
  expect(await told(office, '“双人章”的监印人已离岗')).toBe(
    '“双人章”的监印人要走的监印人已不在岗，现在没有人可以监印确认。请办理监印变更，另定监印人。',
  );
  expect(await told(clerk, '暂时不能用印：两人用印的文件')).toBe(
    '“双人章”须双人用印，而可以监印确认的监印人要走的监印人已不在岗，已请印章管理人员另定监印人，定下后即可用印。',
  );
});

test('a two-person seal whose substitute keeper was the only second and leaves is reported to managers and applicants alike', async () => {
  const { app, dept, register, office, clerk, apply } = desk;
  const person = await app.person({ alias: '要走的备岗', dept, roles: ['staff', 'seal_keeper'] });
  const stamp = await register({ name: '备岗章', type: 4, supervisor: null, backup: person.username });
  desk.expectOk(await apply([stamp], { title: '等备岗的文件' }));
  await desk.run(`update app_user set is_active = false where username = '${person.username}'`);
  expect(await told(office, '“备岗章”的备岗已离岗')).toBe(
    '“备岗章”的备岗要走的备岗已不在岗，现在没有人可以监印确认。请办理监印变更，另定备岗。',
  );
  expect(await told(clerk, '暂时不能用印：等备岗的文件')).toBe(
    '“备岗章”须双人用印，而可以监印确认的备岗要走的备岗已不在岗，已请印章管理人员另定备岗，定下后即可用印。',
  );
});

test('a leaving second person blocks only the substitute’s own application, and no other applicant is told', async () => {
  const { app, dept, register, office, clerk, apply, other, box } = desk;
  const person = await app.person({ alias: '先走的监印人', dept, roles: ['staff', 'seal_keeper'] });
  const stamp = await register({ name: '两岗章', type: 4, supervisor: person.username, backup: other.username });
  desk.expectOk(await apply([stamp], { title: '旁人的文件' }));
  desk.expectOk(await apply([stamp], { title: '备岗自己的文件' }, other.client));
  await desk.run(`update app_user set is_active = false where username = '${person.username}'`);
  expect(await told(other, '暂时不能用印：备岗自己的文件')).toContain('而可以监印确认的监印人先走的监印人已不在岗');
  expect(await told(office, '“两岗章”的监印人已离岗')).toBe(
    '“两岗章”的监印人先走的监印人已不在岗。请办理监印变更，另定监印人。',
  );
  expect((await box(clerk.client)).map((one) => one.title)).not.toContain('暂时不能用印：旁人的文件');
});

test('a keeper who gives the last approval is told that the application now waits for them to seal', async () => {
  const { seal, ready, head, titles } = desk;
  await desk.run(`insert into user_role (user_id, role_id) select ${head.id}, id from role where code = 'seal_keeper'`);
  await ready([await seal({ keeper: head.username })], { title: '自己同意的文件' });
  expect(await titles(head.client)).toContain('待用印：自己同意的文件');
});
