import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { documents } from './contract.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
let other: Client;
beforeAll(async () => {
  school = await openSchool();
  other = await school.office.signIn(
    await school.office.person({ alias: '赵书记', dept: school.dept, roles: ['xld'] }),
  );
}, 180_000);
afterAll(() => school.office.close());

const errorsOf = (answer: { data: unknown }) =>
  (answer.data as { errors?: { field: string; msg: string }[] } | null)?.errors?.map((one) => [one.field, one.msg]) ??
  [];
const patch = (who: Client, id: number, body: object) => who.ask(documents.update, { params: { id }, body });
const upward = async () => ({
  doc_type: 11,
  title: '关于购置设备的请示',
  main_send: [{ type: 'org' as const, name: '省厅' }],
  contact_name: '张三',
  contact_phone: '010-1234',
  issuer: school.main.username,
});

describe('the submission rules of a document', () => {
  test('also apply to edits by its handlers', async () => {
    const { head, clerk, write, goOn } = school;
    const { id, ticket_id } = await write(await upward());
    const two = ['省厅', '市局'].map((name) => ({ type: 'org', name }));
    const wrong = { main_send: two, publicity: 3, body_html: '' };
    expect(errorsOf(await patch(head, id, wrong))).toEqual([
      ['body_html', '请填写'],
      ['publicity_reason', '请填写'],
      ['main_send', '请示只能主送一个机关，现在有 2 个'],
    ]);
    expect((await patch(head, id, { publicity: 3, publicity_reason: '内部事项' })).code).toBe(0);
    await goOn(ticket_id, 13);
    expect(errorsOf(await patch(clerk, id, { body_html: '' }))).toEqual([['body_html', '请填写']]);
  });

  test('are checked again at the signature', async () => {
    const { office: app, head, main, write, goOn, handle } = school;
    const { id, ticket_id } = await write();
    await app.services.databases.write((tx) =>
      tx.execute(sql`update document set publicity = 3, main_send = '[]' where id = ${id}`),
    );
    expect((await patch(head, id, { body_html: '改过的正文。' })).code).toBe(0);
    await goOn(ticket_id, 11);
    const wanted = ['publicity_reason', 'main_send'].map((field) => [field, '请填写']);
    expect(errorsOf(await handle(main, ticket_id, 11))).toEqual(wanted);
  });
});

describe('the signature of a document', () => {
  test('cannot be handed to a person who may never give it', async () => {
    const { head, main, write, goOn } = school;
    const { ticket_id } = await write();
    await goOn(ticket_id, 11);
    const params = { id: ticket_id };
    const handed = await main.ask(ticketActions.deliver, {
      params,
      body: { target_username: head.username, suggestion: '请签发' },
    });
    expect(handed.msg).toContain('只能由其签发');
    const { value } = await main.get(tickets.transitions, { params });
    expect(value.map((offer) => offer.code)).not.toContain('deliver');
  });

  test('cannot be handed on by an administrator either, who is told what to do instead', async () => {
    const { head, main, write, goOn, office: app } = school;
    const { admin } = app;
    const { ticket_id } = await write();
    const params = { id: ticket_id };
    const offered = async () =>
      (await admin.get(tickets.transitions, { params })).value.filter(
        (offer) => offer.code === 'deliver' && offer.from_admin,
      );
    const deliver = async (task_no?: number) =>
      admin.ask(ticketActions.deliver, {
        params,
        body: {
          target_username: head.username,
          suggestion: '代签',
          from_admin: true,
          ...(task_no && { task_no }),
        },
      });
    expect(await offered()).toHaveLength(1);
    await goOn(ticket_id, 11);
    expect(await offered()).toEqual([]);
    const refused = await deliver();
    expect(refused).toMatchObject({ code: -1, msg: expect.stringContaining('不能转交') as string });
    expect(refused.msg).toContain('改选签发人');
    const { rows } = await app.db.execute<{ no: number }>(
      sql`select no from ticket_task where ticket_id = ${ticket_id} and status = 'todo'`,
    );
    expect((await deliver(rows[0]?.no)).msg).toContain('不能转交');
    // The people whom the signer added cannot give the signature either.
    const target_username = [other.username];
    const beside = { target_username, type: 'parallel' as const, mode: 'all' as const, suggestion: '一起看' };
    await main.get(ticketActions.addNode, { params, body: beside });
    expect(await offered()).toEqual([]);
  });

  test('is requested only from the signer whom the document names, or whom the office chooses', async () => {
    const { author, head, clerk, main, leader, write, goOn, handle, detail, listed } = school;
    const named = await write({ issuer: other.username });
    await goOn(named.ticket_id, 7);
    expect((await handle(clerk, named.ticket_id, 7)).code).toBe(0);
    await handle(leader, named.ticket_id, 9);
    expect((await detail(author, named.id)).participant_info.participant_alias).toBe('赵书记');
    expect(await listed(main, 'duty')).not.toContain(named.id);
    expect((await handle(main, named.ticket_id, 11)).code).toBe(4004);
    expect((await handle(other, named.ticket_id, 11)).code).toBe(0);

    const open = await write();
    await goOn(open.ticket_id, 7);
    const choose = async (who?: Client) => handle(clerk, open.ticket_id, 7, who ? { issuer: who.username } : {});
    expect(errorsOf(await choose())).toEqual([['issuer', '请填写']]);
    expect(errorsOf(await choose(head))).toEqual([['issuer', '公文由校领导签发，请选择校领导']]);
    expect((await choose(other)).code).toBe(0);
    expect((await detail(author, open.id)).issuer_info?.alias).toBe('赵书记');
    await handle(leader, open.ticket_id, 9);
    expect(await listed(main, 'duty')).not.toContain(open.id);
    expect((await handle(other, open.ticket_id, 12, { suggestion: '重写' })).data.act_state).toBe(2);
    expect((await detail(author, open.id)).state_name).toBe('拟稿');
  });

  test('is requested only from a leader of the house and never from the author', async () => {
    const { author, ask, write, goOn, handle, clerk, head } = school;
    const refused = [['issuer', '公文由校领导签发，请选择校领导']];
    const own = [['issuer', '起草人不能签发自己的公文，请选择其他校领导']];
    const issuer = head.username;
    expect(errorsOf(await ask({ issuer }))).toEqual(refused);
    const draft = await write({ issuer, submit: false });
    expect(errorsOf(await handle(author, draft.ticket_id, 2))).toEqual(refused);
    expect(errorsOf(await ask({ issuer: author.username }))).toEqual(own);
    const letter = await write(await upward());
    expect((await patch(head, letter.id, { issuer })).code).toBe(4000);
    await goOn(letter.ticket_id, 7);
    expect(errorsOf(await handle(clerk, letter.ticket_id, 7, { issuer }))).toEqual([
      ['issuer', '上行文由本单位主要负责人签发，请选择校领导'],
    ]);
  });

  test('leaves no trace as signature once it is taken back', async () => {
    const { clerk, main, write, goOn, handle, detail } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id, 11);
    const named = school.issuer;
    const takesBack = async (who: Client) =>
      expect(
        (await who.ask(ticketActions.retreat, { params: { id: ticket_id }, body: { suggestion: '再看' } })).code,
      ).toBe(0);
    const standing = async () => {
      const { state_name, sign_date, written_date, body_sha256, issuer, revision } = await detail(clerk, id);
      return [state_name, sign_date, written_date, body_sha256, issuer, revision];
    };
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    await takesBack(main);
    expect(await standing()).toEqual(['签发', null, null, null, named, null]);
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    const first = await detail(clerk, id);
    expect(first.issuer_info?.alias).toBe('陈校长');
    await patch(clerk, id, { body_html: '复核时改过的正文。' });
    await handle(clerk, ticket_id, 14, { suggestion: '有改动' });
    const asked = await standing();
    expect(asked).toMatchObject(['签发', first.sign_date, first.written_date, first.body_sha256, first.issuer, {}]);
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    await takesBack(main);
    expect(await standing()).toEqual(asked);
    expect((await handle(main, ticket_id, 12, { suggestion: '重写' })).data.act_state).toBe(2);
    expect((await standing()).slice(1)).toEqual([null, null, null, named, null]);
  });

  test('belongs to the person whose decision it was, not to a signer added beside them', async () => {
    const { head, main, write, goOn, handle, detail } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id, 11);
    const target_username = [head.username];
    const body = { target_username, type: 'parallel' as const, mode: 'all' as const, suggestion: '一起签' };
    await main.get(ticketActions.addNode, { params: { id: ticket_id }, body });
    for (const who of [main, head]) expect((await handle(who, ticket_id, 11)).code).toBe(0);
    const { state_name, issuer_info } = await detail(main, id);
    expect([state_name, issuer_info?.alias]).toEqual(['复核', '陈校长']);
  });

  test('is requested again after a change in the review, and the changes are shown', async () => {
    const { clerk, main, write, goOn, handle, detail } = school;
    const { id, ticket_id } = await write({ body_html: '一、考试定于周一。\n二、请各学院准备。' });
    await goOn(ticket_id, 13);
    expect((await detail(clerk, id)).revision).toBeNull();
    const body = { body_html: '一、考试定于周三。\n二、请各学院准备。' };
    expect((await clerk.ask(documents.update, { params: { id }, body })).code).toBe(0);
    const past = await handle(clerk, ticket_id, 13);
    expect(past.code).toBe(4010);
    expect((await handle(clerk, ticket_id, 14, { suggestion: '日期有误' })).code).toBe(0);
    const { revision, state_name } = await detail(main, id);
    expect([state_name, revision?.signer_alias]).toEqual(['签发', '陈校长']);
    expect(revision?.parts).toEqual([
      { kind: 'same', text: '一、考试定于周' },
      { kind: 'gone', text: '一' },
      { kind: 'new', text: '三' },
      { kind: 'same', text: '。\n二、请各学院准备。' },
    ]);
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    expect((await detail(clerk, id)).revision).toBeNull();
    expect((await handle(clerk, ticket_id, 13)).code).toBe(0);
  });
});
