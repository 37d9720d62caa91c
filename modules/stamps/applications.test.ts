import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPassword } from '#apps/server/testing.ts';
import { calls, openDesk } from './testing/applications.ts';

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => void (desk = await openDesk()));
afterAll(() => desk.app.close());

test('nobody but the keeper of the moment seals; not the applicant, not the operator, not a former keeper, not whoever holds the page', async () => {
  const { seal, ready, handle, keeper, other, clerk } = desk;
  const stamp = await seal();
  const id = await ready([stamp]);
  for (const [who, code] of [
    [clerk, 4003],
    [other, 4004],
  ] as const)
    expect((await handle(who.client, id, [stamp], 'seal')).code).toBe(code);
  expect((await handle(keeper.client, id, [stamp], 'seal', { real_copies: 3 })).msg).toContain(
    '用印 3 份超过批准的 2 份',
  );
  const { signed } = await desk.giveTo(stamp);
  desk.expectOk(await signed());
  expect((await handle(keeper.client, id, [stamp], 'seal')).code).not.toBe(0);
  desk.expectOk(await handle(other.client, id, [stamp], 'seal'));
  expect(await desk.get(id)).toMatchObject({ act_state: 4, seal_status: 2, progress: { done: 1, total: 1 } });
});

test('the keeper who applies or is the operator does not seal it either', async () => {
  const { seal, ready, handle, keeper, other } = desk;
  const stamp = await seal({ backup: other.username });
  const id = await ready([stamp], { operator: keeper.username });
  expect((await handle(keeper.client, id, [stamp], 'seal')).msg).toContain('不能为自己的申请办理用印');
});

test('a two-person seal counts only when the second person confirmed by themselves', async () => {
  const { register, applied, handle, keeper, watcher, clerk, other } = desk;
  const stamp = await register({ type: 4 });
  const id = await applied([stamp]);
  await desk.run(`update stamp_application set act_state = 4, seal_status = 1, due_day = current_date + 9 where id = ${id};
    update stamp_line set state = 1 where application_id = ${id}`);
  desk.expectOk(await handle(keeper.client, id, [stamp], 'seal'));
  expect(await desk.line(id, stamp)).toMatchObject({ state: 1, actions: [] });
  const confirm = (who: typeof keeper, body: object) =>
    who.client.ask(calls.confirm, { params: { id }, body: body as never });
  for (const who of [keeper, clerk]) expect((await confirm(who, { password: testPassword })).code).toBe(4003);
  expect((await confirm(other, { password: testPassword })).code).toBe(4004);
  expect((await confirm(watcher, {})).code).toBe(-1);
  expect((await confirm(watcher, { password: 'wrong' })).code).toBe(-1);
  expect((await desk.get(id)).seal_status).toBe(1);
  desk.expectOk(await confirm(watcher, { code: (await desk.get(id)).code }));
  expect((await desk.get(id)).seal_status).toBe(2);
});

test('ten places hold ten, a hundred ask', async () => {
  const { seal, body, clerk, get } = desk;
  const stamp = await seal();
  const { value } = await clerk.client.get(calls.slots, { params: { id: stamp } });
  const { day, part } = value.find((one) => one.left === 10)!;
  const draft = async () => {
    const asked = await body([{ stamp_id: stamp, day, part }], { submit: false });
    return (await clerk.client.get(calls.create, { body: asked as never })).id as number;
  };
  const drafts: number[] = [];
  for (let n = 0; n < 12; n += 1) drafts.push(await draft());
  const send = (id: number) => clerk.client.ask(calls.again, { params: { id }, body: {} });
  const answers = await Promise.all(Array.from({ length: 100 }, (_one, at) => send(drafts[at % 12]!)));
  expect(answers.filter((one) => one.code === 0)).toHaveLength(10);
  const full = answers.find((one) => one.msg.includes('已约满'))!;
  expect(full).toMatchObject({ code: 4009, data: { free: expect.any(Array) } });
  expect((full.data as never as { free: unknown[] }).free).toHaveLength(3);
  const after = await clerk.client.get(calls.slots, { params: { id: stamp }, query: { from: day, to: day } });
  expect(after.value.find((one) => one.part === part)).toMatchObject({ left: 0, why: '已约满' });
  const states = await Promise.all(drafts.map(async (id) => (await get(id)).act_state));
  expect(states.filter((state) => state === 1)).toHaveLength(10);
}, 60_000);

test('an application over two keepers is done when both are, and each sees only their own line as theirs', async () => {
  const { seal, ready, handle, keeper, other, line, get } = desk;
  const [mine, theirs] = [await seal(), await seal({ keeper: other.username })];
  const id = await ready([mine, theirs]);
  expect((await line(id, mine, keeper.client)).actions).toEqual(['seal', 'refuse']);
  expect((await line(id, theirs, keeper.client)).actions).toEqual([]);
  expect((await handle(keeper.client, id, [theirs], 'seal')).msg).toContain('现由李保管保管');
  desk.expectOk(await handle(keeper.client, id, [mine], 'seal'));
  expect(await get(id)).toMatchObject({ seal_status: 1, progress: { done: 1, total: 2 } });
  const list = async (who: typeof keeper) =>
    (
      await who.client.get(calls.list, { query: { category: 'desk', seal_status: 1, per_page: 100 } as never })
    ).value.map((row) => row.id);
  expect(await list(keeper)).not.toContain(id);
  expect(await list(other)).toContain(id);
  const both = await Promise.all([
    handle(other.client, id, [theirs], 'seal'),
    handle(other.client, id, [theirs], 'seal'),
  ]);
  expect(both.map((one) => one.code).toSorted()).toEqual([0, 4010]);
  expect(await get(id)).toMatchObject({ seal_status: 2, progress: { done: 2, total: 2 } });
});

test('files cannot change after submission; the desk shows the bytes that were approved', async () => {
  const { seal, clerk, keeper, upload, applied, approve, get, app } = desk;
  const bytes = '%PDF-1.4 第一版';
  const file = await upload(clerk.client, '证明.pdf', bytes);
  const id = await applied([await seal()], { files: [file.id] });
  const other = await upload(clerk.client, '证明.pdf', '%PDF-1.4 第二版');
  const changed = await clerk.client.ask(calls.update, { params: { id }, body: { files: [other.id] } as never });
  expect(changed.code).toBe(4010);
  await approve(id);
  const { databases } = app.services;
  await expect(
    databases.write((tx) =>
      tx.execute(sql`update stamp_file set sha256 = repeat('0', 64) where application_id = ${id}`),
    ),
  ).rejects.toThrow(/Failed query|append-only|custody alone|do not change/);
  const shown = (await get(id, keeper.client)).files[0]!;
  expect(shown.sha256).toBe(file.sha256);
  expect(await (await keeper.client.fetch(`/api/file/${shown.id}/`)).text()).toBe(bytes);
});

test('a refusal by the keeper has a reason, reaches everybody who agreed, and the approval is used for nothing else', async () => {
  const { seal, ready, handle, keeper, head, clerk, titles, get, apply } = desk;
  const stamp = await seal();
  const id = await ready([stamp], { title: '改过一页的合同' });
  const refuse = (body: object) => keeper.client.ask(calls.refuse, { params: { id }, body: body as never });
  expect((await refuse({ reason: '' })).code).toBe(4000);
  const [sealed, refused] = await Promise.all([
    handle(keeper.client, id, [stamp], 'seal'),
    refuse({ reason: '第 3 页与批准的不同' }),
  ]);
  expect([sealed.code, refused.code].filter((code) => code === 0)).toHaveLength(1);
  const next = await ready([stamp], { title: '又一份合同' });
  desk.expectOk(await keeper.client.ask(calls.refuse, { params: { id: next }, body: { reason: '页数不符' } as never }));
  for (const who of [clerk, head]) expect(await titles(who.client)).toContain('拒绝用印：又一份合同');
  expect((await handle(keeper.client, next, [stamp], 'seal')).code).toBe(4010);
  expect((await get(next)).can).toContain('apply_again');
  desk.expectOk(await apply([stamp], { again_of: next }));
});
