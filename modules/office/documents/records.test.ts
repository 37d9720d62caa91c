import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { documents } from './contract.ts';
import { documentRecords } from './contract/records.ts';
import { openReminding } from './testing/reminding.ts';

const { school, run, records, close } = await openReminding();
afterAll(close);

describe('the handling record', () => {
  test('shows to whom a document came, when, what they said, and for whom it waits', async () => {
    const { author, head, write, handle } = school;
    const { id, ticket_id } = await write();
    await handle(head, ticket_id, 3, { suggestion: '文字已改' });
    const rows = await records(author, id);
    expect(rows.map((row) => [row.state_name, row.participant_alias, row.status_name, row.suggestion])).toEqual([
      ['拟稿', '张拟稿', '已处理', ''],
      ['部门核稿', '李处长', '已处理', '文字已改'],
      ['办公室核稿', '党政办', '待处理', ''],
    ]);
    expect(rows.map((row) => [row.handled_at !== null, row.duration_min, row.document_id])).toEqual([
      [true, 0, id],
      [true, 0, id],
      [false, 0, id],
    ]);
  });

  test('has the files of opinions', async () => {
    const { author, head, write, handle } = school;
    const { id, ticket_id } = await write();
    const body = new FormData();
    body.set('module', 'tickets');
    body.set('file', new Blob(['测算的内容']), '测算.txt');
    const sent = await (await head.fetch('/api/file/upload/', { method: 'POST', body })).json();
    const files = [(sent as { data: { id: number } }).data.id];
    expect((await handle(head, ticket_id, 3, { suggestion_files: files })).code).toBe(0);
    const rows = await records(author, id);
    expect(rows.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([[], ['测算.txt'], []]);
  });

  test('is not shown to people who do not see the document', async () => {
    const { stranger, author, write } = school;
    const { id } = await write();
    const [, row] = await records(author, id);
    const params = { id: row!.id };
    const asked = [
      await stranger.ask(documentRecords.ticketLog, { query: { document_id: id } }),
      await stranger.ask(documentRecords.correct, { params, body: { suggestion: '改' } }),
      await stranger.ask(documentRecords.remind, { params }),
      await stranger.ask(documentRecords.remindByPost, { params }),
    ];
    expect(asked.map((answer) => answer.code)).toEqual([4004, 4004, 4004, 4004]);
  });

  test('names a department that misses its deadline, and the document does not move on without it', async () => {
    const { author, head, librarian, write, handle, detail, elsewhere } = school;
    const { id, ticket_id } = await write({ co_depts: [elsewhere] });
    await handle(head, ticket_id, 3);
    const waiting = async () => (await records(author, id)).find((row) => row.participant_alias === '周馆长')!;
    expect((await waiting()).due_at).toMatch(/^\d{4}-/);
    await run(
      sql`update ticket_task set due_at = now() - interval '1 hour' where ticket_id = ${ticket_id} and status = 'todo'`,
    );
    expect(await waiting()).toMatchObject({ overdue: true, status: 0, status_name: '逾期未回复', dept_name: '图书馆' });
    const asked = await detail(author, id);
    expect([asked.state_name, asked.opinions.countersign]).toEqual(['会签', '图书馆 周馆长：逾期未回复']);
    await handle(librarian, ticket_id, 5, { suggestion: '同意，晚了' });
    expect(await waiting()).toMatchObject({ overdue: false, status: 1, suggestion: '同意，晚了' });
    expect((await detail(author, id)).opinions.countersign).toMatch(/^图书馆 周馆长：同意，晚了　\d{4}-/);
  });
});

describe('an opinion on a document', () => {
  const said = async (words = '同义') => {
    const { id, ticket_id } = await school.write();
    await school.handle(school.head, ticket_id, 3, { suggestion: words });
    const row = (await records(school.head, id)).find((one) => one.participant_alias === '李处长')!;
    const correct = (who: Client, suggestion: string) =>
      who.ask(documentRecords.correct, { params: { id: row.id }, body: { suggestion } });
    return { id, ticket_id, row, correct };
  };

  test('is corrected by its author, and the old text stays in the log', async () => {
    const { id, ticket_id, row, correct } = await said();
    expect([row.can_edit, row.corrected]).toEqual([true, null]);
    expect((await correct(school.author, '同意')).code).toBe(4004);
    expect((await correct(school.head, ' ')).code).toBe(4000);
    expect((await correct(school.head, '同意')).code).toBe(0);
    const after = (await records(school.author, id)).find((one) => one.id === row.id)!;
    expect([after.suggestion, after.corrected?.before, after.transition_name]).toEqual(['同意', '同义', '同意']);
    const { value: log } = await school.author.get(tickets.flowlogs, { params: { id: ticket_id } });
    expect(log.map((one) => [one.action, one.suggestion, one.corrected])).toEqual([
      ['submit', '', false],
      ['handle', '同义', true],
      ['skip', '没有办理人，自动通过', false],
      ['correct', '同意', false],
    ]);
    const { rows } = await school.office.db.execute<{ diff: unknown }>(
      sql`select diff from log where action = '更正办理意见' order by id desc limit 1`,
    );
    expect(JSON.stringify(rows[0]?.diff)).toContain('同义');
  });

  test('cannot be corrected after ten minutes, or after the next handler acted', async () => {
    const late = await said();
    await run(sql`alter table ticket_log disable trigger user`);
    await run(sql`update ticket_log set at = at - interval '11 minutes' where ticket_id = ${late.ticket_id}`);
    await run(sql`alter table ticket_log enable trigger user`);
    const refused = await late.correct(school.head, '同意');
    expect([refused.code, refused.msg]).toEqual([4010, '只能在办理后 10 分钟内更正，需要补充的请评论']);
    const acted = await said();
    await school.handle(school.clerk, acted.ticket_id, 7, { issuer: school.issuer });
    const [row] = (await records(school.head, acted.id)).filter((one) => one.id === acted.row.id);
    expect(row?.can_edit).toBe(false);
    expect((await acted.correct(school.head, '同意')).code).toBe(4010);
  });

  test('corrected while the next handler acts is either corrected before that or unchanged', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, ticket_id, row, correct } = await said();
      const [corrected, next] = await Promise.all([
        correct(school.head, '同意'),
        school.handle(school.clerk, ticket_id, 7, { issuer: school.issuer }),
      ]);
      expect(next.code).toBe(0);
      const after = (await records(school.author, id)).find((one) => one.id === row.id)!;
      expect(after.suggestion).toBe(corrected.code === 0 ? '同意' : '同义');
      const { value: log } = await school.author.get(tickets.flowlogs, { params: { id: ticket_id } });
      const actions = log.map((one) => one.action).filter((one) => one !== 'skip');
      expect(actions).toEqual(
        corrected.code === 0 ? ['submit', 'handle', 'correct', 'handle'] : ['submit', 'handle', 'handle'],
      );
    }
  });
});

describe('the completion of a document', () => {
  const apply = (who: Client, id: number, suggestion = '已经办完') =>
    who.ask(ticketActions.applyFinish, { params: { id }, body: { suggestion } });

  test('is requested by its handler, confirmed by the office, and closes the document', async () => {
    const { registrar: author, clerk, main, head, stranger, handle, detail, listed } = school;
    const { id, ticket_id } = await author.get(documents.create, {
      body: { doc_kind: 2, title: '关于报送材料的通知', from_org: '教育厅', received_date: '2026-11-20', submit: true },
    });
    await handle(clerk, ticket_id, 3);
    await handle(clerk, ticket_id, 5, { leaders: [main.username], lead_dept: school.dept });
    await handle(main, ticket_id, 6);
    expect((await apply(head, ticket_id)).code).toBe(4010);
    await handle(head, ticket_id, 8);
    await handle(clerk, ticket_id, 9);
    expect((await detail(head, id)).actions).toContain('apply_finish');
    expect((await detail(clerk, id)).actions).not.toContain('apply_finish');
    expect((await apply(clerk, ticket_id)).code).toBe(4010);
    expect((await apply(stranger, ticket_id)).code).toBe(4004);
    expect((await apply(head, ticket_id, ' ')).code).toBe(4000);
    expect((await apply(head, ticket_id)).data.act_state).toBe(6);
    const asked = await detail(clerk, id);
    expect([asked.act_state_name, asked.state_name, asked.finished_at !== null]).toEqual([
      '申请办结',
      '办结确认',
      true,
    ]);
    expect(await listed(clerk, 'duty')).toContain(id);
    expect((await handle(clerk, ticket_id, 12, { suggestion: '还缺回执' })).data.act_state).toBe(4);
    expect((await apply(head, ticket_id)).data.act_state).toBe(6);
    expect((await handle(clerk, ticket_id, 11)).data.act_state).toBe(5);
    expect((await apply(head, ticket_id)).code).toBe(4010);
    expect((await listed(clerk, 'duty')).includes(id)).toBe(false);
  });

  test('of a request waits for its answer', async () => {
    const { author, registrar, main, write, goOn, detail } = school;
    const request = {
      doc_type: 11,
      title: '关于购置设备的请示',
      main_send: [{ type: 'org' as const, name: '省厅' }],
      contact_name: '张三',
      contact_phone: '010-1234',
      issuer: main.username,
    };
    const { id, ticket_id } = await write(request);
    await goOn(ticket_id);
    const refused = await apply(author, ticket_id);
    expect([refused.code, refused.msg]).toEqual([-1, expect.stringContaining('请示还没有批复或复函，不能办结')]);
    const answer = {
      doc_kind: 2 as const,
      doc_type: 12,
      title: '关于同意购置设备的批复',
      from_org: '省厅',
      received_date: '2026-11-20',
    };
    const draft = await registrar.get(documents.create, { body: { ...answer, reply_to_id: id } });
    expect((await apply(author, ticket_id)).code).toBe(-1);
    await registrar.get(documents.again, { params: { id: draft.id }, body: {} });
    const { replies } = await detail(registrar, id);
    expect(replies.map((one) => one.id)).toEqual([draft.id]);
    expect((await detail(registrar, draft.id)).reply_to_info?.id).toBe(id);
    expect((await apply(author, ticket_id)).data.act_state).toBe(6);
  });
});
