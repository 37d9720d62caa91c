import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { distributions } from './contract.ts';
import { distributionTask } from './tasks.ts';
import { openGiving, type Giving } from './testing/giving.ts';

let giving: Giving;
beforeAll(async () => {
  giving = await openGiving();
}, 180_000);
afterAll(() => giving.office.close());

const past = '2020-01-01 09:00';
const later = '2099-01-01 09:00';

describe('distributing a document', () => {
  test('is refused until its workflow allows it or it is finished, and for a document closed before approval for ever', async () => {
    const { write, give, reader, office: app } = giving;
    const { id, ticket_id } = await write();
    const refused = async () => {
      const { code, msg } = await give(id, { users: [reader.userId] });
      return [code, msg];
    };
    expect(await refused()).toEqual([4010, '公文“待审”，还不能分发：要到流程写明可以分发的环节，或者办结之后']);
    await app.admin.get(ticketActions.close, { params: { id: ticket_id }, body: { suggestion: '不发了' } });
    expect(await refused()).toEqual([4010, '公文“已关闭”，还不能分发：要到流程写明可以分发的环节，或者办结之后']);
  });

  test('is possible before the end from a state that its workflow names, once signed and numbered, and fixes its paper', async () => {
    const { write, goOn, give, reader, clerk, detail, handle, office: app } = giving;
    const { id, ticket_id } = await write({ title: '关于先行印发的通知' });
    const to = { users: [reader.userId] };
    await goOn(ticket_id, 16);
    expect([(await give(id, to)).code, (await detail(clerk, id)).actions.includes('distribute')]).toEqual([
      4010,
      false,
    ]);
    await handle(clerk, ticket_id, 16);
    const before = await detail(clerk, id);
    expect([before.state_name, before.act_state, before.actions.includes('distribute')]).toEqual(['印发分发', 1, true]);
    const print_date = '2099-12-30';
    await clerk.get(documents.update, { params: { id }, body: { print_date } });

    expect((await give(id, to)).code).toBe(0);
    const heard = async () => ({ ...(await detail(reader, id)), version: 0, print_copies: 0, final_file: null });
    const first = await heard();
    expect(await detail(reader, id)).toMatchObject({
      act_state: 4,
      act_state_name: '已印发',
      state_name: '',
      print_date,
    });
    const given = await detail(clerk, id);
    expect([given.colophon, given.act_state_name]).toEqual([null, '待审']);
    for (const body of [{ print_date: '2099-12-31' }, { print_org: '别处' }, { redhead_id: null }]) {
      const { code, msg } = await clerk.ask(documents.update, { params: { id }, body });
      expect([code, msg]).toEqual([4010, expect.stringContaining('公文已经分发，字号、红头和版记不再修改')]);
    }
    await clerk.get(documents.update, { params: { id }, body: { print_copies: 30 } });
    await eventually(async () => expect((await detail(reader, id)).final_file).not.toBeNull());

    // A document that goes back can be read by no recipient until it returns to this state.
    const set = (state_id: number) =>
      app.admin.get(ticketActions.state, { params: { id: ticket_id }, body: { state_id, suggestion: '调整' } });
    await set(7);
    expect([(await reader.ask(documents.get, { params: { id } })).code, (await give(id, to)).code]).toEqual([
      4004, 4010,
    ]);
    for (const step of [13, 15, 16]) expect((await handle(clerk, ticket_id, step)).code).toBe(0);
    expect((await detail(reader, id)).act_state_name).toBe('已印发');
    expect((await handle(clerk, ticket_id, 17)).code).toBe(0);
    expect((await detail(clerk, id)).act_state_name).toBe('已通过');
    expect(await heard()).toEqual(first);
  });

  test('is refused by program and database while its present text is unsigned or unnumbered', async () => {
    const { write, goOn, give, reader, clerk, detail, handle, office: app } = giving;
    const to = { users: [reader.userId] };
    const put = async (ticketId: number, state_id: number) =>
      app.admin.get(ticketActions.state, { params: { id: ticketId }, body: { state_id, suggestion: '调整' } });
    const unsigned = await write();
    await put(unsigned.ticket_id, 10);
    expect((await detail(clerk, unsigned.id)).state_name).toBe('印发分发');
    expect((await give(unsigned.id, to)).code).toBe(4010);
    const unnumbered = await write();
    await goOn(unnumbered.ticket_id, 15);
    await put(unnumbered.ticket_id, 10);
    expect((await give(unnumbered.id, to)).code).toBe(4010);
    const changed = await write();
    await goOn(changed.ticket_id, 16);
    await put(changed.ticket_id, 7);
    await clerk.get(documents.update, { params: { id: changed.id }, body: { body_html: '<p>没有签过的内容。</p>' } });
    await put(changed.ticket_id, 10);
    expect((await give(changed.id, to)).code).toBe(4010);
    const closed = await write();
    await goOn(closed.ticket_id, 17);
    expect((await give(closed.id, to)).code).toBe(0);
    await app.admin.get(ticketActions.close, { params: { id: closed.ticket_id }, body: { suggestion: '不发了' } });
    expect((await reader.ask(documents.get, { params: { id: closed.id } })).code).toBe(4004);
    const byHand = (text: ReturnType<typeof sql>) =>
      app.services.databases
        .write((tx) => tx.execute(text))
        .then(
          () => 'done',
          (error: { cause?: { constraint?: string } }) => error.cause?.constraint,
        );
    expect(await byHand(sql`update document set issued = true where id = ${unsigned.id}`)).toBe('document_issued');
    expect(
      await byHand(sql`insert into document_dist (document_id, sender_id) values (${unsigned.id}, ${clerk.userId})`),
    ).toBe('document_dist_only_out');
    expect((await handle(clerk, unsigned.ticket_id, 17)).msg).toBe(
      '公文还没有签发、编号，不能办结；请调整到签发、编号的环节办理，不再办理的请关闭',
    );
  });

  test('is possible for those who hold the permission and see the document', async () => {
    const { anyLetter, give, author, reader, leader, office: app, elsewhere } = giving;
    const id = await anyLetter();
    const to = { users: [reader.userId] };
    expect((await give(id, to, {}, author)).code).toBe(4003);
    expect((await give(id, to, {}, leader)).code).toBe(4003);
    const other = await app.clerk({ 'document/dist': ['Create', 'Retrieve'] }, { dept: elsewhere, dataScope: 3 });
    expect((await give(id, to, {}, other)).code).toBe(4004);
    expect((await give(999_999, to)).code).toBe(4004);
    const { actions } = await giving.detail(giving.clerk, id);
    expect(actions).toContain('distribute');
    expect((await giving.detail(author, id)).actions).not.toContain('distribute');
  });

  test('reaches departments with all subdepartments, roles and people, each person once', async () => {
    const { anyLetter, given, matrix, clerk, dept, below, clerkOf, office: app } = giving;
    const inside = await clerkOf(below);
    const role = await app.role({});
    const holder = await app.signIn(await app.person({ alias: '持有人', dept: below, roles: [role] }));
    const gone = await app.person({ dept: below, active: false });
    const { rows } = await app.db.execute<{ id: number }>(sql`select id from role where code = ${role}`);
    const dist = await given(await anyLetter(), {
      depts: [dept],
      roles: [rows[0]!.id],
      users: [inside.userId, inside.userId, holder.userId],
    });
    const { value } = await clerk.get(distributions.readers, { params: { id: dist }, query: { per_page: 100 } });
    const ids = value.map((one) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([inside.userId, holder.userId, giving.author.userId]));
    expect(ids).not.toContain(gone.id);
    expect(value.find((one) => one.id === inside.userId)?.source).toBe(1);
    expect(value.find((one) => one.id === giving.author.userId)?.source).toBe(2);
    expect((await matrix(clerk, dist)).total).toBe(ids.length);
  });

  test('while it is revoked either does not happen, or its recipients read that it is void', async () => {
    const { finished, give, listed, reader, clerk, detail } = giving;
    for (let round = 0; round < 6; round += 1) {
      const id = await finished({ title: `关于赛跑${round}的通知` });
      const { ticket_id } = await detail(clerk, id);
      const revoke = { params: { id: ticket_id }, body: { suggestion: '附件有误' } };
      const giveIt = () => give(id, { users: [reader.userId] });
      const voidIt = () => clerk.ask(ticketActions.revoke, revoke);
      const [first, second] = await Promise.all(round % 2 ? [giveIt(), voidIt()] : [voidIt(), giveIt()]);
      const [given, voided] = round % 2 ? [first, second] : [second, first];
      expect(voided.code).toBe(0);
      expect([0, 4010]).toContain(given.code);
      expect((await listed(reader)).includes(id)).toBe(given.code === 0);
      if (given.code === 0) expect((await detail(reader, id)).act_state_name).toBe('已作废');
      else expect(given.msg).toContain('公文“已作废”');
    }
  });

  test('names people missing, gone or too late', async () => {
    const { anyLetter, give, reader, office: app, dept } = giving;
    const id = await anyLetter();
    const gone = await app.person({ dept, active: false });
    const empty = await app.dept('空部门');
    const said = async (recipients: object, more: object = {}) => (await give(id, recipients, more)).msg;
    expect(await said({})).toBe('没有可以接收的人，请选择部门、角色或人员');
    expect(await said({ depts: [empty] })).toBe('没有可以接收的人，请选择部门、角色或人员');
    for (const wrong of [{ users: [gone.id] }, { depts: [999_999] }, { roles: [999_999] }])
      expect(await said(wrong)).toBe('所选人员范围中有已撤销的部门、角色或已离职的人员，请重新选择');
    const to = { users: [reader.userId] };
    expect(await said(to, { deadline: past })).toBe(`阅读期限 ${past} 已过，请选择今后的时间`);
    expect((await give(id, to, { deadline: '2026-02-30 09:00' })).code).toBe(4000);
  });

  test('sent twice with one idempotency key happens once', async () => {
    const { finished, clerk, reader } = giving;
    const body = { document_id: await finished(), recipients: { users: [reader.userId] } as never };
    const post = () => clerk.ask(distributions.create, { body }, { 'idempotency-key': 'dist-once-0001' });
    const [one, two] = await Promise.all([post(), post()]);
    expect([one.code, two.code, one.data.id]).toEqual([0, 0, two.data.id]);
    const { total } = await clerk.get(distributions.list, { query: { document_id: body.document_id } });
    expect(total).toBe(1);
  });

  test('by a person outside whose scope the document lies is limited to their own scope', async () => {
    const { anyLetter, given, give, reader, librarian, office: app, elsewhere, author, clerkOf } = giving;
    const passer = await app.clerk({ 'document/dist': ['Create', 'Retrieve'] }, { dept: elsewhere, dataScope: 3 });
    const id = await anyLetter();
    await given(id, { users: [passer.userId] });
    const wide = await give(id, { users: [author.userId, reader.userId] }, {}, passer);
    expect([wide.code, wide.msg]).toEqual([
      4003,
      '这份公文不属于您的管理范围，只能转给本范围内的人员，所选人员中有 1 人不在范围内',
    ]);
    const colleague = await clerkOf(elsewhere);
    expect((await give(id, { users: [colleague.userId, librarian.userId] }, {}, passer)).code).toBe(0);
    expect((await colleague.ask(documents.get, { params: { id } })).code).toBe(0);
  });

  test('takes as many statements for three hundred people as for three', { timeout: 180_000 }, async () => {
    const { finished, give, clerk, office: app, detail } = giving;
    const few = await app.dept('三人处');
    const many = await app.dept('三百人处');
    await app.services.databases.write((tx) =>
      tx.execute(sql`insert into app_user (username, alias, dept_id, password, search)
        select 'many' || n, '众' || n, case when n <= 3 then ${few}::int else ${many}::int end, 'x', '' from generate_series(1, 303) n`),
    );
    const [one, two] = [await finished(), await finished()];
    // Their finished documents are written directly, with SQL.
    for (const id of [one, two])
      await eventually(async () => expect((await detail(clerk, id)).final_file).not.toBeNull());
    const small = await counted(clerk, () => give(one, { depts: [few] }));
    const large = await counted(clerk, () => give(two, { depts: [many] }));
    expect(large).toEqual(small);
    expect(large.length).toBeLessThan(35);
  });
});

describe('reading a distributed document', () => {
  test('is recorded once when it is opened, with the device used', { timeout: 180_000 }, async () => {
    const { finished, given, opened, matrix, clerk, reader, titles } = giving;
    const dist = await given(await finished({ title: '关于开卷的通知' }), { users: [reader.userId] }, { note: '请阅' });
    expect(await titles(reader)).toContain('公文分发：关于开卷的通知');
    expect((await matrix(clerk, dist)).late).toBe(1);
    expect((await opened(reader, dist)).my_state).toBe(0);
    const again = await opened(reader, dist);
    expect([again.my_state_name, again.read_time !== null, again.total]).toEqual(['已读', true, null]);
    const { value } = await clerk.get(distributions.readers, { params: { id: dist } });
    expect([value[0]!.state, value[0]!.client]).toEqual([1, '电脑']);
    expect((await matrix(clerk, dist)).read).toBe(1);
    expect(await titles(reader)).not.toContain('公文分发：关于开卷的通知');
  });

  test('is complete only with the signature if a receipt is required, and may have a reply', async () => {
    const { anyLetter, given, opened, matrix, clerk, reader } = giving;
    const dist = await given(await anyLetter(), { users: [reader.userId] }, { need_receipt: true });
    const params = { id: dist };
    await opened(reader, dist);
    expect((await opened(reader, dist)).my_state).toBe(0);
    expect((await reader.get(distributions.read, { params, body: {} })).state).toBe(1);
    expect((await reader.get(distributions.read, { params, body: { reply: '已传达' } })).state).toBe(2);
    expect((await reader.get(distributions.read, { params, body: {} })).state).toBe(2);
    expect(await matrix(clerk, dist)).toMatchObject({ total: 1, read: 1, done: 1, late: 0 });
    const logs = await clerk.get(distributions.flowLogs, { query: { dist_id: dist, per_page: 100 } });
    const ours = logs.value.filter((log) => log.kind === 'dist').map((log) => [log.action_name, log.content]);
    expect(ours).toEqual([
      ['分发（1 人）', ''],
      ['回复', '已传达'],
    ]);
    expect(logs.value[0]).toMatchObject({ kind: 'flow', action: 'submit' });
  });

  test('in fifty windows of one person at once is recorded once', async () => {
    const { anyLetter, given, opened, matrix, clerk, reader, librarian, office: app } = giving;
    const dist = await given(await anyLetter(), { users: [reader.userId, librarian.userId] });
    await Promise.all(Array.from({ length: 50 }, () => opened(reader, dist)));
    expect(await matrix(clerk, dist)).toMatchObject({ total: 2, read: 1, done: 0 });
    expect((await opened(clerk, dist)).read).toBe(1);
    const reply = () => reader.ask(distributions.read, { params: { id: dist }, body: { reply: '好' } });
    await Promise.all(Array.from({ length: 20 }, reply));
    expect((await opened(clerk, dist)).replied).toBe(1);
    expect(await unlikeTheirCopies(app)).toEqual([]);
  });

  test('while it is recalled ends as one or the other, and the counts agree', async () => {
    const { anyLetter, given, recall, clerk, office: app, clerkOf, elsewhere } = giving;
    const readers = await Promise.all(Array.from({ length: 6 }, () => clerkOf(elsewhere)));
    for (let round = 0; round < 4; round += 1) {
      const dist = await given(await anyLetter(), { users: readers.map((one) => one.userId) });
      const reads = readers.map((one) => one.ask(distributions.read, { params: { id: dist }, body: {} }));
      const [back, ...answers] = await Promise.all([recall(clerk, dist), ...reads]);
      expect(back.code).toBe(0);
      for (const answer of answers) expect([0, 4004]).toContain(answer.code);
      const { read } = (await clerk.get(distributions.get, { params: { id: dist } })).value;
      expect(read).toBe(answers.filter((answer) => answer.code === 0).length);
    }
    expect(await unlikeTheirCopies(app)).toEqual([]);
  });
});

/** Distributions whose counters differ from their copies. */
const unlikeTheirCopies = async (app: Giving['office']) =>
  (
    await app.db.execute(sql`
      select d.id from document_dist d join document_dist_user c on c.dist_id = d.id group by d.id
      having d.total <> count(*) or d.read <> count(c.read_time) or d.replied <> count(c.reply_time)`)
  ).rows;

describe('urging readers of a document', () => {
  test('reminds only unread recipients, each once in two hours, and is counted', async () => {
    const { finished, given, opened, clerk, reader, librarian, titles } = giving;
    const dist = await given(await finished({ title: '关于催读的通知' }), { users: [reader.userId, librarian.userId] });
    await opened(reader, dist);
    const urge = () => clerk.ask(distributions.urge, { params: { id: dist }, body: { content: '今天下班前' } });
    expect((await urge()).data.sent).toBe(1);
    expect(await titles(librarian)).toContain('请尽快阅读：关于催读的通知');
    expect(await titles(reader)).not.toContain('请尽快阅读：关于催读的通知');
    const soon = await urge();
    expect([soon.code, soon.msg]).toEqual([4029, '催读过于频繁，请 120 分钟后再试']);
    const { value } = await clerk.get(distributions.readers, { params: { id: dist }, query: { state: 0 } });
    expect(value.map((one) => [one.id, one.urged_count])).toEqual([[librarian.userId, 1]]);
    await opened(librarian, dist);
    const none = await urge();
    expect([none.code, none.msg]).toEqual([4010, '没有可催读的人：未阅读的只有您本人，或已离职']);
    expect((await opened(clerk, dist)).actions).toEqual(['readers', 'recall']);
  });

  test('offers and counts only recipients who can be urged, not the sender or leavers', async () => {
    const { finished, given, opened, matrix, clerk, reader, elsewhere, clerkOf, titles, office: app } = giving;
    const gone = await clerkOf(elsewhere);
    const users = [clerk.userId, reader.userId, gone.userId];
    const dist = await given(await finished({ title: '关于本人也须签收的通知' }), { users }, { need_receipt: true });
    await app.services.databases.write((tx) =>
      tx.execute(sql`update app_user set is_active = false where id = ${gone.userId}`),
    );
    const offered = async () => {
      const { actions, to_urge } = await opened(clerk, dist);
      return [actions.includes('urge'), to_urge, (await matrix(clerk, dist)).to_urge];
    };
    expect(await offered()).toEqual([true, 1, 1]);
    // A sender who is also a recipient has to sign, and is notified of it.
    expect(await titles(clerk)).toContain('公文分发：关于本人也须签收的通知');
    const urge = () => clerk.ask(distributions.urge, { params: { id: dist }, body: {} });
    expect((await urge()).data.sent).toBe(1);
    expect((await urge()).msg).toBe('催读过于频繁，请 120 分钟后再试');
    await reader.get(distributions.read, { params: { id: dist }, body: {} });
    expect(await offered()).toEqual([false, 0, 0]);
    const none = await urge();
    expect([none.code, none.msg]).toEqual([4010, '没有可催读的人：未阅读的只有您本人，或已离职']);
    const { rows } = await app.db.execute(
      sql`select people from document_dist_event where dist_id = ${dist} and kind = 'urge'`,
    );
    expect(rows).toEqual([{ people: 1 }]);
  });

  test('by text message reaches only unread recipients with a phone, with the title only', async () => {
    const { finished, given, opened, clerk, reader, librarian, office: app } = giving;
    await app.services.databases.write((tx) =>
      tx.execute(
        sql`update app_user set phone = '139' || lpad(id::text, 8, '0') where id = any(${sql.param([reader.userId, librarian.userId])}::int[])`,
      ),
    );
    const dist = await given(await finished({ title: '【紧急】关于短信的通知' }), {
      users: [reader.userId, librarian.userId],
    });
    await opened(reader, dist);
    await clerk.get(distributions.urge, { params: { id: dist }, body: { sms: true } });
    const texts = async () =>
      (
        await app.db.execute<{ user_id: number; content: string }>(sql`
          select s.user_id, s.content from sms_log s join msg m on s.module = 'messages' and m.id = s.object_id
          where m.module = 'distributions' and m.object_id = ${dist}`)
      ).rows;
    const urged = {
      user_id: librarian.userId,
      content: expect.stringContaining('请尽快阅读：〔紧急〕关于短信的通知'),
    };
    await eventually(async () => expect(await texts()).toEqual([urged]));
  });

  test('is done once automatically when a deadline is near', async () => {
    const { finished, given, opened, reader, librarian, office: app, titles } = giving;
    const dist = await given(
      await finished({ title: '关于期限的通知' }),
      { users: [reader.userId, librarian.userId] },
      { deadline: later },
    );
    await opened(reader, dist);
    const run = (now: string) => distributionTask(app.services.databases).run({}, { attempt: 1, now: new Date(now) });
    const told = async (who: typeof reader) =>
      (await titles(who)).filter((one) => one === '阅读期限将到：关于期限的通知').length;
    await run('2098-12-30T00:00:00Z');
    expect(await told(librarian)).toBe(0);
    await run('2098-12-31T02:00:00Z');
    await run('2098-12-31T03:00:00Z');
    expect([await told(librarian), await told(reader)]).toEqual([1, 0]);
  });
});
