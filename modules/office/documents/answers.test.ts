import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { documents } from './contract.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const waits = '请示还没有批复或复函，不能办结';
const send = (who: Client, call: typeof ticketActions.applyFinish | typeof ticketActions.close, id: number) =>
  who.ask(call, { params: { id }, body: { suggestion: '已经办完' } });
/** Makes an approved request of the house. */
async function asked() {
  const made = await school.write({
    doc_type: 11,
    title: '关于购置设备的请示',
    main_send: [{ type: 'org', name: '省厅' }],
    contact_name: '张三',
    contact_phone: '010-1234',
    issuer: school.issuer,
  });
  await school.goOn(made.ticket_id);
  return made;
}
const came = (body: object) =>
  school.registrar.get(documents.create, {
    body: { doc_kind: 2, from_org: '省厅', received_date: '2026-11-20', submit: true, title: '来文', ...body },
  });

describe('a request (请示)', () => {
  test('cannot be completed before it is answered nor closed once approved, but may be revoked', async () => {
    const { author, clerk, detail } = school;
    const { id, ticket_id } = await asked();
    expect(await send(author, ticketActions.applyFinish, ticket_id)).toMatchObject({
      code: -1,
      msg: expect.stringContaining(waits) as string,
    });
    expect((await send(clerk, ticketActions.close, ticket_id)).msg).toMatch(/^工单已通过，不能关闭/);
    expect((await detail(author, id)).act_state).toBe(4);
    const revoke = { params: { id: ticket_id }, body: { suggestion: '发错' } };
    expect((await clerk.ask(ticketActions.revoke, revoke)).code).toBe(0);
    expect((await detail(author, id)).act_state).toBe(5);
  });

  test('is answered by an approval or a letter in reply, not by other documents that refer to it', async () => {
    const { author, clerk } = school;
    const { id, ticket_id } = await asked();
    await came({ doc_type: 8, title: '关于报送材料的通知', reply_to_id: id });
    expect((await send(author, ticketActions.applyFinish, ticket_id)).code).toBe(-1);
    const given = await came({ doc_type: 14, title: '关于购置设备的复函', reply_to_id: id });
    expect(
      (await clerk.ask(ticketActions.close, { params: { id: given.ticket_id }, body: { suggestion: '误登' } })).code,
    ).toBe(0);
    expect((await send(author, ticketActions.applyFinish, ticket_id)).code).toBe(-1);
    await came({ doc_type: 14, title: '关于购置设备的复函', reply_to_id: id });
    expect((await send(author, ticketActions.applyFinish, ticket_id)).data.act_state).toBe(6);
  });

  test('shows its author every answer that others registered, and opens those they may see', async () => {
    const { author, registrar, head, detail } = school;
    const { id } = await asked();
    const given = await came({ doc_type: 14, title: '关于购置设备的复函', reply_to_id: id });
    const draft = await came({ doc_type: 14, title: '还没有交', reply_to_id: id, submit: false });
    const seenBy = async (who: Client) => (await detail(who, id)).replies.map((one) => [one.id, one.opens]);
    expect(await seenBy(author)).toEqual([[given.id, false]]);
    expect((await author.ask(documents.get, { params: { id: given.id } })).code).toBe(4004);
    expect((await detail(registrar, given.id)).reply_to_id).toBe(id);
    expect(await seenBy(head)).not.toContainEqual([draft.id, true]);
  });

  test('is answered by a written note, which its author or the office enters', async () => {
    const { author, clerk, head, stranger, detail } = school;
    const { id, ticket_id } = await asked();
    const note = (who: Client, answer_note: string) =>
      who.ask(documents.noteAnswer, { params: { id }, body: { answer_note } });
    expect((await note(stranger, '同意')).code).toBe(4004);
    expect((await note(head, '同意')).code).toBe(4003);
    expect((await note(author, ' ')).code).toBe(4000);
    expect((await detail(author, id)).actions).toContain('note_answer');
    expect((await note(author, '省厅王处长来电：同意购置')).code).toBe(0);
    expect((await detail(clerk, id)).answer_note).toBe('省厅王处长来电：同意购置');
    expect((await send(author, ticketActions.applyFinish, ticket_id)).data.act_state).toBe(6);
    expect((await school.handle(clerk, ticket_id, 18)).data.act_state).toBe(5);
    expect((await detail(author, id)).actions).not.toContain('note_answer');
    expect((await note(author, '改口')).code).toBe(4010);
  });

  test('that came in cannot be closed while it is handled, and only requests accept a note', async () => {
    const { registrar: author, clerk, detail, write } = school;
    const { id, ticket_id } = await came({ doc_type: 11, title: '关于调整编制的请示' });
    expect((await send(clerk, ticketActions.close, ticket_id)).msg).toContain(waits);
    const letter = await write();
    const note = (to: number) =>
      clerk.ask(documents.noteAnswer, { params: { id: to }, body: { answer_note: '已当面答复' } });
    expect((await note(letter.id)).code).toBe(4010);
    expect((await note(id)).code).toBe(0);
    expect((await send(clerk, ticketActions.close, ticket_id)).code).toBe(0);
    expect((await detail(author, id)).act_state).toBe(5);
  });

  test('that was never submitted is discarded like any draft', async () => {
    const { author, clerk, write } = school;
    const request = {
      doc_type: 11,
      title: '关于购置设备的请示',
      main_send: [{ type: 'org' as const, name: '省厅' }],
      contact_name: '张三',
      contact_phone: '010-1234',
      issuer: school.issuer,
    };
    const draft = await write({ ...request, submit: false });
    expect((await send(author, ticketActions.close, draft.ticket_id)).code).toBe(0);
    const going = await write(request);
    expect((await send(clerk, ticketActions.close, going.ticket_id)).code).toBe(0);
  });
});

test('a document shows its latest answers, and says when there are more', async () => {
  const { registrar: author, detail } = school;
  const notice = await came({ doc_type: 8, title: '关于报送材料的通知' });
  const ids: number[] = [];
  for (let at = 0; at < 52; at += 1)
    ids.push(
      (await came({ doc_type: 14, title: `关于报送材料的复函${at}`, reply_to_id: notice.id, submit: false })).id,
    );
  const many = await detail(author, notice.id);
  expect(many.replies.map((one) => one.id)).toEqual(ids.toReversed().slice(0, 50));
  expect(many.more_replies).toBe(true);
  const one = await detail(author, ids[0]!);
  expect([one.replies, one.more_replies]).toEqual([[], false]);
});
