import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPassword } from '#apps/server/testing.ts';
import { processingSheetPdf } from '#modules/typesetting/service.ts';
import { readPaper } from '#modules/typesetting/testing/paper.ts';
import { ledgerCalls, type Use } from './contract/ledger.ts';
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
  for (const who of [watcher, keeper]) expect((await desk.get(id, who.client)).code).toBe('');
  expect((await desk.get(id)).seal_status).toBe(1);
  desk.expectOk(await confirm(watcher, { code: (await desk.get(id)).code }));
  expect((await desk.get(id)).seal_status).toBe(2);
});

// Ten places and a hundred who ask take a quarter of a minute: run with NIGHTLY=1.
const [places, asking] = process.env['NIGHTLY'] ? [10, 100] : [3, 20];
test(`${places} places hold ${places}, ${asking} ask`, async () => {
  const { seal, body, clerk, get } = desk;
  const stamp = await seal({ slot_capacity: places });
  const { value } = await clerk.client.get(calls.slots, { params: { id: stamp } });
  const { day, part } = value.find((one) => one.left === places)!;
  const draft = async () => {
    const asked = await body([{ stamp_id: stamp, day, part }], { submit: false });
    return (await clerk.client.get(calls.create, { body: asked as never })).id as number;
  };
  const drafts: number[] = [];
  for (let n = 0; n < places + 2; n += 1) drafts.push(await draft());
  const send = (id: number) => clerk.client.ask(calls.again, { params: { id }, body: {} });
  const answers = await Promise.all(Array.from({ length: asking }, (_one, at) => send(drafts[at % drafts.length]!)));
  expect(answers.filter((one) => one.code === 0)).toHaveLength(places);
  const full = answers.find((one) => one.msg.includes('已约满'))!;
  expect(full).toMatchObject({ code: 4009, data: { free: expect.any(Array) } });
  expect((full.data as never as { free: unknown[] }).free).toHaveLength(3);
  const after = await clerk.client.get(calls.slots, { params: { id: stamp }, query: { from: day, to: day } });
  expect(after.value.find((one) => one.part === part)).toMatchObject({ left: 0, why: '已约满' });
  const states = await Promise.all(drafts.map(async (id) => (await get(id)).act_state));
  expect(states.filter((state) => state === 1)).toHaveLength(places);
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

/** Registered by its keeper, and waiting for the second person. */
async function pending(more: object = {}) {
  const stamp = await desk.register({ type: 4, ...more });
  const id = await desk.applied([stamp]);
  await desk.run(`update stamp_application set act_state = 4, seal_status = 1, due_day = current_date + 9 where id = ${id};
    update stamp_line set state = 1 where application_id = ${id}`);
  desk.expectOk(await desk.handle(desk.keeper.client, id, [stamp], 'seal'));
  return { stamp, id };
}
const confirm = (id: number, body: object) =>
  desk.watcher.client.ask(calls.confirm, { params: { id }, body: body as never });

test('the second person confirms with their own password within thirty minutes; later it is registered anew', async () => {
  const counts = async () => (await desk.keeper.client.get(calls.counts)).to_seal;
  const before = await counts();
  const late = await pending();
  expect(await counts()).toBe(before);
  const minutesAgo = (minutes: number) =>
    desk.run(`update stamp_line set pending = jsonb_set(pending, '{at}', to_jsonb(to_char(now() - interval '${minutes} minutes', 'YYYY-MM-DD HH24:MI:SS')))
      where application_id = ${late.id}`);
  await minutesAgo(31);
  expect((await confirm(late.id, { password: testPassword })).msg).toContain('超过 30 分钟');
  expect(await counts()).toBe(before + 1);
  desk.expectOk(await desk.handle(desk.keeper.client, late.id, [late.stamp], 'seal'));
  await minutesAgo(29);
  desk.expectOk(await confirm(late.id, { password: testPassword }));
  expect(await desk.line(late.id, late.stamp)).toMatchObject({ state: 2 });
});

test('what is sealed with two seals at once has its row, its pictures and its number under each; only the chosen are sealed', async () => {
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

test('places still to be filled in and blank pages are found and told; a file that is no PDF is not judged', async () => {
  const { upload, clerk, other } = desk;
  const facts = [{ label: '签字', value: '甲方：________　乙方：________', wide: true }];
  const bytes = await processingSheetPdf({ name: '协议', org: '', facts, opinions: [] });
  const file = await upload(clerk.client, '协议.pdf', new Uint8Array(bytes));
  const look = (id: number, who = clerk) => who.client.ask(calls.look, { query: { file: id } });
  expect((await look(file.id)).data).toEqual({ pages: 1, blanks: [{ page: 1, places: 2 }] });
  expect((await look((await upload(clerk.client)).id)).data).toEqual({ pages: null, blanks: null });
  expect(await look(file.id, other)).toMatchObject({ code: 4004 });
  const id = await desk.applied([await desk.seal()], { files: [file.id] });
  expect((await desk.get(id)).files).toMatchObject([{ pages: 1, blanks: [{ page: 1, places: 2 }] }]);
});

test('the approval sheet says what is sealed, what was said, and bears the slip’s code; strangers get none', async () => {
  const { ready, seal, clerk } = desk;
  const id = await ready([await seal({ name: '审批单上的章' })], { title: '单上的文件' });
  const sheet = (who: typeof clerk) => who.client.fetch(`/api/stamp/application/${id}/sheet/`);
  const paper = await readPaper(Buffer.from(await (await sheet(clerk)).arrayBuffer()));
  const words = paper.texts.map((one) => one.text.replace(/\s/g, '')).join('');
  const { code } = await desk.get(id);
  for (const said of ['用印审批单', '单上的文件', '审批单上的章', '同意', code]) expect(words).toContain(said);
  expect(await (await sheet(await desk.staff('路人'))).json()).toMatchObject({ code: 4004 });
});

test('what the database would not take is refused in words before it gets there', async () => {
  const { seal, apply } = desk;
  const stamp = await seal();
  expect((await apply([stamp], { copies: 1000, file_kind: 4 })).msg).toBe('份数最多 999 份，请分次申请');
  const backwards = await apply([stamp], { ...desk.trip(30, 20) });
  expect(backwards.code).not.toBe(5000);
  expect(JSON.stringify(backwards)).toContain('不晚于开始');
});

test('what was put under a seal once is refused no more, whoever has still to confirm it', async () => {
  const { register, applied, handle, keeper } = desk;
  const stamp = await register({ type: 4 });
  const id = await applied([stamp]);
  await desk.run(`update stamp_application set act_state = 4, seal_status = 1, due_day = current_date + 9 where id = ${id};
    update stamp_line set state = 1 where application_id = ${id}`);
  desk.expectOk(await handle(keeper.client, id, [stamp], 'seal'));
  const refused = await keeper.client.ask(calls.refuse, { params: { id }, body: { reason: '看错了' } as never });
  expect(refused.msg).toContain('待监印');
});
