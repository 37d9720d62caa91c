import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { faultsOf } from './application/faults.ts';
import { applications } from './application/record.ts';
import { custodyKind } from './contract/seal-codes.ts';
import { sealCalls } from './contract/seals.ts';
import { calls, inHours, openDesk } from './testing/applications.ts';

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => void (desk = await openDesk()));
afterAll(() => desk.app.close());

test('only the present keeper of a seal uses it, not the applicant, an operator, a former keeper or a page’s administrator', async () => {
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

test('a seal’s keeper neither applies for it nor escorts it, and an applicant who becomes keeper does not seal', async () => {
  const { seal, apply, ready, handle, keeper, other, propose, sign } = desk;
  const stamp = await seal({ backup: other.username });
  for (const [more, who] of [
    [{ operator: keeper.username }, desk.clerk],
    [{}, keeper],
  ] as const)
    expect((await apply([stamp], more, who.client)).msg).toContain(
      '现由张保管保管，保管人不能是发起人、经办人或陪同人',
    );
  const until = inHours(9);
  const given = await propose(keeper.client, stamp, { kind: custodyKind.caretaker, to: other.username, until });
  desk.expectOk(await sign(other.client, given.data.id!));
  const id = await ready([stamp], { operator: keeper.username });
  desk.expectOk(await propose(keeper.client, stamp, { kind: custodyKind.caretakerEnds }));
  expect((await handle(keeper.client, id, [stamp], 'seal')).msg).toContain('不能为自己的申请办理用印');
});

test('an applicant sees who keeps each seal now, and the applications for their department’s seals', async () => {
  const { seal, applied, clerk, other, keeper } = desk;
  const stamp = await seal();
  const keeps = async () =>
    (await clerk.client.get(sealCalls.keepers)).value.find((one) => one.stamps.some(({ id }) => id === stamp))?.alias;
  expect(await keeps()).toBe('张保管');
  const { signed } = await desk.giveTo(stamp);
  desk.expectOk(await signed());
  expect(await keeps()).toBe('李保管');
  const id = await applied([stamp]);
  const seen = async (who: typeof clerk) =>
    (await who.client.get(calls.deptApplications, { query: { per_page: 100 } })).value.map((one) => one.id);
  expect(await seen(desk.head)).toContain(id);
  expect([keeper.id, other.id]).not.toContain(clerk.id);
});

// Ten slots and a hundred applicants take a quarter of a minute: run with NIGHTLY=1.
const [places, asking] = process.env['NIGHTLY'] ? [10, 100] : [3, 20];
test(`${places} places a day are given to ${places} of ${asking} simultaneous applications`, async () => {
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
}, 180_000);

test('an application to two keepers is done when both have sealed, and each sees only their own line as theirs', async () => {
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

test('files cannot change after submission, and the sealing desk shows the approved bytes', async () => {
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

test('a keeper’s refusal has a reason, is told to all approvers, and ends the approval', async () => {
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

test('a saved application is changed and deleted by its applicant, and hidden from others', async () => {
  const { seal, body, clerk, other, get } = desk;
  const asked = await body([{ stamp_id: await seal() }], { submit: false });
  const { id } = (await clerk.client.get(calls.create, { body: asked as never })) as { id: number };
  const params = { id };
  const change = (who: typeof clerk) =>
    who.client.ask(calls.update, { params, body: { title: '改后的申请' } as never });
  const drop = (who: typeof clerk) => who.client.ask(calls.remove, { params });
  expect([(await change(other)).code, (await drop(other)).code]).toEqual([4004, 4004]);
  desk.expectOk(await change(clerk));
  expect((await get(id, clerk.client)).title).toBe('改后的申请');
  desk.expectOk(await drop(clerk));
  expect((await clerk.client.ask(calls.get, { params })).code).toBe(4004);
});

test('an application can be copied from one’s own refused one, and from no other', async () => {
  const { seal, ready, apply, keeper, clerk, other } = desk;
  const stamp = await seal();
  const [standing, refused] = [await ready([stamp]), await ready([stamp])];
  desk.expectOk(
    await keeper.client.ask(calls.refuse, { params: { id: refused }, body: { reason: '页数不符' } as never }),
  );
  for (const [id, who] of [
    [standing, clerk.client],
    [refused, other.client],
    [999_999, clerk.client],
  ] as const)
    expect(await apply([stamp], { again_of: id }, who)).toMatchObject({
      code: 4004,
      msg: '被拒绝的用印申请不存在，或您无权查看',
    });
});

test('a place is a day with its half, or none: giving only one of them is refused', async () => {
  const stamp = await desk.seal();
  for (const half of [{ day: '2030-03-01' }, { part: 1 }])
    expect(await desk.apply([{ stamp_id: stamp, ...half }])).toMatchObject({
      code: 4000,
      msg: expect.stringContaining('预约须同时选择日期和上午或下午'),
    });
});

test('blanks still to be filled in and empty pages are found and reported, and a file that is not a PDF is not judged', async () => {
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

test('the approval sheet lists what is sealed and all opinions, and its code is on it only for the bearer', async () => {
  const { ready, seal, clerk, keeper, head } = desk;
  const id = await ready([await seal({ name: '审批单上的章' })], { title: '单上的文件' });
  const sheet = (who: typeof clerk) => who.client.fetch(`/api/stamp/application/${id}/sheet/`);
  const wordsFor = async (who: typeof clerk) => {
    const paper = await readPaper(Buffer.from(await (await sheet(who)).arrayBuffer()));
    return paper.texts.map((one) => one.text.replace(/\s/g, '')).join('');
  };
  const { code } = await desk.get(id);
  for (const said of ['用印审批单', '单上的文件', '审批单上的章', '同意', code])
    expect(await wordsFor(clerk)).toContain(said);
  for (const who of [keeper, head]) {
    const words = await wordsFor(who);
    expect(words).toContain('审批单上的章');
    expect(words).not.toContain(code);
  }
  expect(await (await sheet(await desk.staff('路人'))).json()).toMatchObject({ code: 4004 });
});

test('what the database would reject is refused with a sentence before', async () => {
  const { seal, apply } = desk;
  const stamp = await seal();
  expect((await apply([stamp], { copies: 1000, file_kind: 4 })).msg).toBe('份数最多 999 份，请分次申请');
  const backwards = await apply([stamp], { ...desk.trip(30, 20) });
  expect(backwards.code).not.toBe(5000);
  expect(JSON.stringify(backwards)).toContain('不晚于开始');
});

test('a character that no font has is reported by its field before an application is submitted', async () => {
  const stamp = await desk.seal();
  const rare = '\u{3FFFD}';
  const asked = [
    ['title', '文件名称', { title: `${rare}的证明` }],
    ['reason', '用印事由', { reason: `${rare}出国` }],
  ] as const;
  for (const [field, label, more] of asked) {
    const refused = await desk.apply([stamp], more);
    expect(refused).toMatchObject({ code: 4000, data: { errors: [{ field, label }] } });
    expect(refused.msg).toContain(`${label}：“${rare}”没有可用的字体`);
  }
});

test('a seal lost during an application is dropped from it, and the others are sealed', async () => {
  const { seal, applied, approve, propose, head, handle, keeper, get } = desk;
  const [lost, whole] = [await seal(), await seal()];
  const id = await applied([lost, whole]);
  desk.expectOk(await propose(head.client, lost, { kind: custodyKind.lost }));
  await approve(id);
  desk.expectOk(await handle(keeper.client, id, [whole], 'seal'));
  expect((await get(id)).lines.map((line) => line.state)).toEqual([5, 2]);
});

test('a seal is lent from now on or later, and approved only while that time is not over', async () => {
  const { seal, apply, applied, trip, app, run } = desk;
  const stamp = await seal();
  expect(JSON.stringify(await apply([stamp], trip(-2, 4)))).toContain('外带时间已过');
  const id = await applied([stamp], trip(-0.5, 4));
  await run(`update stamp_application set borrow_start = now() - interval '3 hours' where id = ${id}`);
  const faults = (at: 'submitted' | 'approved') =>
    app.services.databases.write(async (tx) =>
      faultsOf(tx, (await applications.one(tx, id))!, { now: new Date(), by: null, at }),
    );
  expect(await faults('submitted')).toMatchObject([{ field: 'borrow_start' }]);
  expect(await faults('approved')).toEqual([]);
});
