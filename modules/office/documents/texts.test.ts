import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { documents } from './contract.ts';
import { documentRecords } from './contract/records.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { smsRules } from '#modules/platform/sms/contract/rules.ts';
import { openReminding } from './testing/reminding.ts';

const { school, run, records, close } = await openReminding();
afterAll(close);

describe('a reminder by text message', () => {
  /** The text messages about a ticket, once none is pending. */
  const texts = async (ticket: number) => {
    const query = async <R extends Record<string, unknown>>(statement: ReturnType<typeof sql>) =>
      (await school.office.db.execute<R>(statement)).rows;
    const underWay = sql`select 1 from graphile_worker.jobs where key like 'outside:%'`;
    await eventually(async () => expect(await query(underWay)).toEqual([]));
    return query<{ content: string; state: string }>(sql`
      select s.content, d.state from sms_log s join delivery d on d.id = s.delivery_id join msg m on m.id = s.object_id
      where s.module = 'messages' and m.module = 'tickets' and m.object_id = ${ticket}`);
  };

  test('is sent once to the present handler; repeated at once it is the same one, and later it is too early', async () => {
    const { author, head, write } = school;
    const { id, ticket_id } = await write({ title: '【紧急】关于催办的通知' });
    const row = (await records(author, id)).find((one) => one.status === 0)!;
    expect([row.can_sms, (await records(head, id)).find((one) => one.id === row.id)?.can_sms]).toEqual([true, false]);
    const params = { id: row.id };
    expect((await head.ask(documentRecords.remind, { params })).code).toBe(4003);
    const asked = await Promise.all([1, 2, 3].map(() => author.ask(documentRecords.remind, { params })));
    expect(asked.map((answer) => answer.code)).toEqual([0, 0, 0]);
    expect(asked.map((answer) => answer.data.sent).toSorted()).toEqual([0, 0, 1]);
    expect((await texts(ticket_id)).map((one) => one.content)).toEqual([
      expect.stringContaining('《〔紧急〕关于催办的通知》'),
    ]);
    await run(sql`update document_record set last_sms_at = last_sms_at - interval '10 minutes' where id = ${row.id}`);
    const early = await author.ask(documentRecords.remindByPost, { params });
    expect(early.code).toBe(4029);
    expect((await records(author, id)).find((one) => one.id === row.id)).toMatchObject({
      sms_count: 1,
      can_sms: false,
    });
  });

  test('is refused from another site, and for people who have handled the document or have no phone number', async () => {
    const { author, write, handle, head } = school;
    const { id, ticket_id } = await write();
    const params = { id: (await records(author, id)).find((one) => one.status === 0)!.id };
    const foreign = await author.ask(documentRecords.remind, { params }, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.code).toBe(4003);
    await handle(head, ticket_id, 3);
    expect((await author.ask(documentRecords.remind, { params })).code).toBe(4010);
    const next = (await records(author, id)).find((one) => one.status === 0)!;
    const unreachable = await author.ask(documentRecords.remind, { params: { id: next.id } });
    expect([unreachable.code, unreachable.msg]).toEqual([-1, expect.stringContaining('没有登记手机号')]);
    expect(await texts(ticket_id)).toEqual([]);
  });

  test('to oneself is refused, and not counted as sent', async () => {
    const { author, clerk, write, handle, head } = school;
    const { id, ticket_id } = await write();
    await handle(head, ticket_id, 3);
    await run(sql`update app_user set phone = '13911112222' where id = ${clerk.userId}`);
    const row = (await records(author, id)).find((one) => one.status === 0)!;
    expect(row.participant).toBe(clerk.username);
    const own = await clerk.ask(documentRecords.remind, { params: { id: row.id } });
    expect([own.code, own.msg]).toEqual([4010, expect.stringContaining('是您本人或已离开')]);
    expect((await records(author, id)).find((one) => one.id === row.id)).toMatchObject({ sms_count: 0 });
    await run(sql`update app_user set phone = null where id = ${clerk.userId}`);
  });

  test('brings back a to-do that the person reminded had put aside', async () => {
    const { author, head, write } = school;
    const { id } = await write({ title: '关于稍后再办的通知' });
    const [waits] = (await head.get(waiting.list, { query: { search_value: '关于稍后再办的通知' } })).value;
    const until = momentText(new Date(Date.now() + 864e5)).slice(0, 16);
    await head.get(waiting.putAside, { body: { rows: [waits!.id], until } });
    const found = async () => (await head.get(waiting.list, { query: { search_value: '关于稍后再办的通知' } })).total;
    expect(await found()).toBe(0);
    const row = (await records(author, id)).find((one) => one.status === 0)!;
    await author.get(documentRecords.remindByPost, { params: { id: row.id } });
    expect(await found()).toBe(1);
  });

  test('is sent though the same was urged by message just before, and once to a person who wants both as texts', async () => {
    const { author, head, write } = school;
    const { id, ticket_id } = await write({ title: '关于两次催办的通知' });
    const row = (await records(author, id)).find((one) => one.status === 0)!;
    await author.get(documents.urge, { params: { id }, body: {} });
    await head.get(messages.keepPreference, { body: { events: { URGE: ['sms'] } } });
    try {
      await author.get(documentRecords.remindByPost, { params: { id: row.id } });
      expect(await texts(ticket_id)).toHaveLength(1);
    } finally {
      await head.get(messages.keepPreference, { body: { events: { URGE: [] } } });
    }
  });

  test('waiting for the morning is not sent once the document was handled', async () => {
    const { author, head, write, handle, office: app } = school;
    const clock = (hours: number) => momentText(new Date(Date.now() + hours * 3_600_000)).slice(11, 16);
    const keepQuiet = async (quiet: string) => {
      await app.admin.get(sms.saveRule, { body: { quiet } });
      const kept = async () => (await app.services.settings.of(smsRules)).quiet;
      await expect.poll(kept).toBe(quiet);
    };
    await keepQuiet(`${clock(-1)}-${clock(2)}`);
    const { id, ticket_id } = await write({ title: '关于夜里催办的通知' });
    const row = (await records(author, id)).find((one) => one.status === 0)!;
    await author.get(documentRecords.remindByPost, { params: { id: row.id } });
    const states = async () => (await texts(ticket_id)).map((one) => one.state);
    expect(await states()).toEqual(['waiting']);
    await handle(head, ticket_id, 3);
    await keepQuiet('00:00-00:00');
    await eventually(async () => {
      // Repeated, because a node that has not read the new hours yet postpones it.
      await run(sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
          where key like 'delivery:%' and locked_at is null`);
      expect(await states()).toEqual(['cancelled']);
    });
  }, 180_000);

  test('about a secret document is refused', async () => {
    const { author, write } = school;
    const { id, ticket_id } = await write();
    await run(sql`update document set secret_level = 1, secret_period = '10年', copy_no = '000001' where id = ${id}`);
    const row = (await records(author, id)).find((one) => one.status === 0)!;
    expect(row.can_sms).toBe(false);
    expect((await author.ask(documentRecords.remind, { params: { id: row.id } })).msg).toContain('涉密公文不发短信');
    expect(await texts(ticket_id)).toEqual([]);
  });
});
