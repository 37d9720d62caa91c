import { afterAll, expect, test } from 'vitest';
import { momentText } from '#kernel/contract/moment.ts';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { Client } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { countDeadlocks } from '#apps/server/testing/deadlocks.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { sealCalls } from '#modules/office/stamps/contract/seals.ts';
import { sealing } from '#modules/office/stamps/testing/asking.ts';
import { contractRuleCalls } from './contract/rules.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, head, manager, one, write, approve, register, upload, told } = house;
afterAll(app.close);

const person = async (alias: string, role: string) =>
  app.signIn(await app.person({ alias, dept: house.dept, roles: ['staff', role] }));
const [keeper, office] = [await person('保管人', 'seal_keeper'), await person('办公室', 'office_admin')];
const stamp = (
  await office.get(sealCalls.addStamp, {
    body: { name: '合同专用章', type: 6, dept_id: house.dept, keeper: keeper.username } as never,
  })
).id!;
const ruled = async (value: object) => {
  const { version } = await app.admin.get(contractRuleCalls.rule);
  await app.admin.get(contractRuleCalls.saveRule, { body: { ...value, version } as never });
};
const offerOf = async (id: number, who: Client = author) =>
  (await who.get(applicationCalls.source, { query: { module: 'contracts', id } })).offer;
/** The offer, once the PDF of the text exists. */
const offered = (id: number) => eventually(async () => (await offerOf(id)) ?? expect.fail('nothing is offered'));

const asking = sealing({ stamp, keeper, head, applicant: author });
const { get: application, seal } = asking;
const agree = async (who: Client, id: number) => {
  const params = { id: (await application(id)).ticket_id! };
  const { transitions } = (await who.get(tickets.get, { params })).value;
  const { transition_id } = transitions.find((way) => way.attribute_type_id === 1)!;
  return who.ask(tickets.handle, { params, body: { transition_id, suggestion: '同意' } as never });
};
/** An application for a contract's seal, approved by the head. */
const applied = async (id: number) => asking.approved({ module: 'contracts', id }, await offered(id));
/** Copies that were sealed come back to whoever keeps the seal. */
const takenBack = (id: number, copies: number, who: Client = keeper, remark = '') =>
  who.ask(applicationCalls.takeBack, { params: { id }, body: { copies, remark } });
const signing = async (id: number) => {
  const copies = { copies_total: 4, copies_kept: 2, keeper: manager.userId };
  return register(author, id, {
    type: 'sign',
    sign_date: inDays(0),
    signed_file: await upload(author),
    authority: 1,
    ...copies,
  });
};

test(
  'an approved contract is sealed with its frozen text, and must be sealed before signing if the rule says so',
  { timeout: 180_000 },
  async () => {
    await ruled({ need_stamp: true });
    const id = await approve(await write());
    expect((await signing(id)).msg).toBe('按合同规则须先完成用印，请先申请用印，用印后再登记签订');
    const offer = await offered(id);
    expect(offer).toMatchObject({ file_kind: 2, copies: 4, amount: 1000, receiver: '晨光文具有限公司' });
    expect(offer.files.map((file) => file.ext)).toEqual(['pdf']);
    expect(await offerOf(id, house.outsider)).toBeNull();
    const asked = await applied(id);
    expect((await signing(id)).code).not.toBe(0);
    const sealedNow = await seal(asked);
    expect(sealedNow.code, sealedNow.msg).toBe(0);
    expect(await one(id)).toMatchObject({ copies_total: 4 });
    const voided = await register(manager, id, { type: 'void', reason: '不签了' });
    expect(voided.msg).toBe('合同有 4 份已用印的文本在外，请先交回印章保管人，由其在用印申请中登记收回');
    expect((await signing(id)).msg).toBe('登记成功');
    expect(await offerOf(id)).toBeNull();
    await ruled({ need_stamp: false });
  },
);

test(
  'a seal application takes file, title, kind, amount and other party from its contract, whatever is sent',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write({ name: '不许换' }));
    await asking.expectUnchanged({ module: 'contracts', id }, await offered(id));
  },
);

test(
  'a contract that differs from its seal application is neither approved, sealed nor lent a seal',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write({ name: '批后改了' }));
    const offer = await offered(id);
    const escort = await app.person({ alias: '陪同人', dept: house.dept, roles: ['staff'] });
    const trip = {
      use_type: 2,
      borrow_start: momentText(new Date()).slice(0, 16),
      borrow_end: momentText(new Date(Date.now() + 3_600_000)).slice(0, 16),
      borrow_place: '市政务中心',
      escort: escort.username,
    };
    const source = { module: 'contracts', id };
    const onSite = await asking.approved(source, offer);
    const out = await asking.approved(source, offer, trip);
    // A seal taken out needs a school leader's approval, too.
    expect((await agree(house.school, out)).code).toBe(0);
    const waiting = await asking.sent(source, offer);
    const change = (amount: number) => house.sql('update contract set amount = $2 where id = $1', [id, amount]);
    const why = /的金额与业务中批准的不一致，不能用印/;
    await change(2000);
    expect((await agree(head, waiting)).msg).toMatch(why);
    expect((await seal(onSite)).msg).toMatch(why);
    expect((await asking.lend(out)).msg).toMatch(why);
    await change(1000);
    expect((await asking.lend(out)).code).toBe(0);
    await change(2000);
    expect((await asking.bringBack(out)).code).toBe(0);
    expect(await one(id)).toMatchObject({ stamp_application_id: null });
  },
);

test(
  'voiding a contract whose copies bear only some of its seals asks what became of them, and a scan is due',
  { timeout: 180_000 },
  async () => {
    const second = (
      await office.get(sealCalls.addStamp, {
        body: { name: '骑缝章', type: 6, dept_id: house.dept, keeper: keeper.username } as never,
      })
    ).id!;
    const id = await approve(await write({ name: '盖了一半' }));
    const { files, ...offer } = await offered(id);
    const lines = [stamp, second].map((stamp_id) => ({ stamp_id }));
    const body = { ...offer, files: files.map((file) => file.id), lines, source: { module: 'contracts', id } };
    const made = await author.get(applicationCalls.create, {
      body: { ...body, reason: '对外用印', no_blanks: true, submit: true } as never,
    });
    await asking.agreed(made.id);
    expect((await seal(made.id)).code).toBe(0);
    const params = { id: made.id };
    await keeper.get(applicationCalls.refuse, { params, body: { stamp_ids: [second], reason: '缺页' } as never });
    expect(await one(id)).toMatchObject({ stamp_application_id: null });
    const due = await application(made.id);
    expect(due).toMatchObject({ seal_status: 6, progress: { done: 1, total: 2 } });
    expect(due.copy_due).not.toBeNull();
    const uncopied = { query: { category: 'desk', no_copy: true } as never };
    expect((await keeper.get(applicationCalls.list, uncopied)).value.map((row) => row.id)).toContain(made.id);
    const none = await register(manager, id, { type: 'void', reason: '不签了' });
    expect(none.msg).toBe('合同有 4 份已用印的文本在外，请先交回印章保管人，由其在用印申请中登记收回');
    const reopen = async (suggestion: string, of = id) => {
      const { ticket_id } = (await house.sql('select ticket_id from contract where id = $1', [of])).rows[0];
      const asked = { params: { id: ticket_id }, body: { state_id: 2, suggestion } as never };
      return app.admin.ask(ticketActions.state, asked);
    };
    expect((await reopen('金额有误')).msg).toBe(
      '合同有 4 份已用印的文本在外，请先交回印章保管人，由其在用印申请中登记收回',
    );
    expect(await one(id)).toMatchObject({ stage: 20 });
    // Words are no act: whoever keeps the seal registers what came back, as far as it did.
    expect((await register(manager, id, { type: 'void', reason: '不签了，4 份已收回' })).code).not.toBe(0);
    expect((await takenBack(made.id, 4, author)).code).not.toBe(0);
    expect((await takenBack(made.id, 5)).msg).toBe('在外的已用印文本只有 4 份，不能登记收回 5 份，请核对份数');
    expect((await takenBack(made.id, 3)).msg).toBe('收回已登记');
    expect((await register(manager, id, { type: 'void', reason: '不签了' })).msg).toContain('有 1 份已用印的文本在外');
    expect((await takenBack(made.id, 1, keeper, '对方寄回')).msg).toBe('收回已登记');
    const { outside, can, recalls } = (await keeper.get(applicationCalls.get, { params })).value;
    expect([outside, can.includes('take_back')]).toEqual([0, false]);
    expect(recalls.map(({ copies, by, remark }) => [copies, by, remark])).toEqual([
      [3, '保管人', ''],
      [1, '保管人', '对方寄回'],
    ]);
    const page = await (await fetch(`${app.url}/api/verify/${due.code}/`)).text();
    for (const words of ['收回 3 份', '用印的文本已全部收回']) expect(page).toContain(words);
    expect((await register(manager, id, { type: 'void', reason: '不签了' })).msg).toBe('登记成功');
    const again = await approve(await write({ name: '未用印' }));
    expect((await reopen('金额有误', again)).code).toBe(0);
    expect(await one(again)).toMatchObject({ stage: 10, stamp_application_id: null });
  },
);

test(
  'a sealed contract withdrawn to its draft counts as unsealed, and its pending applications end',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write({ name: '盖后改稿' }));
    const source = { module: 'contracts', id };
    const offer = await offered(id);
    const sealedOnce = await asking.approved(source, offer);
    expect((await seal(sealedOnce)).code).toBe(0);
    const waiting = await asking.sent(source, offer);
    const { rows } = await house.sql('select ticket_id from contract where id = $1', [id]);
    expect((await takenBack(sealedOnce, 4)).code).toBe(0);
    const body = { state_id: 2, suggestion: '金额写错' } as never;
    const moved = await app.admin.ask(ticketActions.state, { params: { id: rows[0].ticket_id }, body });
    expect(moved.msg).toBe('已调整');
    expect(await one(id)).toMatchObject({ stage: 10, stamp_application_id: null, copies_total: null });
    // It waits for no approver any more, and has the reason.
    expect(await application(waiting)).toMatchObject({ act_state: 5, seal_status: 5 });
    expect((await application(waiting)).lines[0]!.reason).toContain('合同重新审批');
    await approve(id);
    expect(await one(id)).toMatchObject({ stage: 20, stamp_application_id: null, sealed_at: null });
    await ruled({ need_stamp: true });
    expect((await signing(id)).msg).toContain('须先完成用印');
    await ruled({ need_stamp: false });
  },
);

test(
  'a person who verifies the seal of a terminated contract reads that it was terminated',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write({ name: '盖章后解除' }));
    const asked = await applied(id);
    expect((await seal(asked)).code).toBe(0);
    expect((await signing(id)).msg).toBe('登记成功');
    const { code } = await application(asked);
    const page = async () => (await fetch(`${app.url}/api/verify/${code}/`)).text();
    expect(await page()).toContain('现行有效');
    const end = { type: 'terminate', reason: '对方放弃', date: inDays(0), settlement: [], file: await upload(manager) };
    expect((await register(manager, id, end)).msg).toBe('登记成功');
    expect(await page()).toContain(`所盖的合同：解除/终止 ${inDays(0)}`);
    expect(await page()).not.toContain('现行有效');
  },
);

test(
  'open seal applications of a voided or terminated contract end, and the keeper is told why',
  { timeout: 180_000 },
  async () => {
    const ends = [
      { type: 'void', reason: '对方放弃' },
      { type: 'terminate', reason: '对方放弃', date: inDays(0), settlement: [], file: await upload(manager) },
    ];
    for (const end of ends) {
      const id = await approve(await write({ name: `待用印${end.type}` }));
      const asked = await applied(id);
      expect(await application(asked)).toMatchObject({ act_state: 4, seal_status: 1 });
      expect((await register(manager, id, end)).msg).toBe('登记成功');
      expect(await application(asked)).toMatchObject({ seal_status: 5 });
      expect((await seal(asked)).code).not.toBe(0);
      const { contract_no } = await one(id);
      for (const who of [keeper, author])
        expect(await told(who)).toContain(`不再用印：${contract_no} 待用印${end.type}`);
    }
  },
);

test(
  'a person who ends a contract whose sealing they applied for is not notified of their own act',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write({ name: '自己作废的合同' }));
    const asked = await applied(id);
    await house.sql('update stamp_application set operator_id = $1 where id = $2', [manager.userId, asked]);
    expect((await register(manager, id, { type: 'void', reason: '对方放弃' })).msg).toBe('登记成功');
    const heard = async (who: Client) =>
      (await told(who)).filter((title) => /^不再用印.*自己作废的合同/.test(title)).length;
    expect([await heard(author), await heard(manager)]).toEqual([1, 0]);
  },
);

test(
  'where the other side signs first, sealing is not offered before its signature is registered',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write());
    await offered(id);
    await ruled({ need_party_first: true });
    expect(await offerOf(id)).toBeNull();
    expect((await register(author, id, { type: 'party', file: await upload(author) })).msg).toBe('登记成功');
    expect(await offerOf(id)).not.toBeNull();
    await ruled({ need_party_first: false });
  },
);

test(
  'sealed and voided at once, a contract is void and unsealed, or sealed and void only with a reason about its copies',
  { timeout: 180_000 },
  async () => {
    for (const nth of [1, 2, 3]) {
      const id = await approve(await write({ name: `争用${nth}` }));
      const asked = await applied(id);
      const [sealed, voided] = await Promise.all([
        seal(asked),
        register(manager, id, { type: 'void', reason: '不签' }),
      ]);
      expect([sealed.code === 0, voided.code === 0].filter(Boolean)).toHaveLength(1);
      expect((await application(asked)).seal_status).toBe(sealed.code === 0 ? 2 : 5);
    }
  },
);

test(
  'voiding a contract waits for a simultaneous decision on its seal application, without a deadlock',
  { timeout: 180_000 },
  async () => {
    const id = await approve(await write({ name: '边批边废' }));
    const waiting = await asking.sent({ module: 'contracts', id }, await offered(id));
    const { ticket_id, lines } = await application(waiting);
    const before = await countDeadlocks(app);
    const deciding = await app.services.databases.pool.connect();
    await deciding.query('begin');
    await deciding.query('select from ticket where id = $1 for update', [ticket_id]);
    const { rows } = await deciding.query<{ pid: number }>('select pg_backend_pid() pid');
    const voided = register(manager, id, { type: 'void', reason: '不签了' });
    await eventually(async () => {
      const held = await house.sql('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
        rows[0]!.pid,
      ]);
      expect(held.rows.length).toBeGreaterThan(0);
    });
    await deciding.query('update stamp_line set reserved = reserved where id = $1', [lines[0]!.id]);
    await deciding.query('commit');
    deciding.release();
    expect((await voided).msg).toBe('登记成功');
    expect(await countDeadlocks(app)).toBe(before);
  },
);

test('the sealing options of a contract take the same number of statements however often it was applied for', async () => {
  const id = await approve(await write({ name: '多次申请' }));
  const source = { module: 'contracts', id };
  const offer = await offered(id);
  const statements = async () => (await counted(author, () => offerOf(id))).length;
  await asking.sent(source, offer);
  await statements();
  const once = await statements();
  for (let nth = 0; nth < 3; nth++) await asking.sent(source, offer);
  expect(await statements()).toBe(once);
}, 180_000);
