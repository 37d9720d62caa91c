import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketStatistics, type TicketStatistics } from '#modules/workflow/tickets/contract/statistics.ts';
import { documents } from './contract.ts';
import { documentStatistics, type DocumentStatistics } from './contract/statistics.ts';
import { openSchool } from './testing/school.ts';

let school: Awaited<ReturnType<typeof openSchool>>;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const listed = async (who: Client, id: number) =>
  (await who.get(tickets.list, { query: { category: 'duty', per_page: 100 } })).value.find(
    (row) => row.record_path === `/document/detail/${id}`,
  )!;

test('a document and its ticket share the deadline, which follows its urgency and stops while the author has it', async () => {
  const { write, head, clerk, detail } = school;
  const { id } = await write();
  const { due_at, ticket_id } = await detail(head, id);
  expect(due_at).not.toBeNull();
  expect(await listed(head, id)).toMatchObject({ due_at, id: ticket_id });
  await clerk.get(documents.level, { params: { id }, body: { level: 2, reason: '上级催要' } });
  const sooner = (await detail(head, id)).due_at!;
  expect(sooner < due_at!).toBe(true);
  expect((await listed(head, id)).due_at).toBe(sooner);
  await head.get(tickets.handle, { params: { id: ticket_id }, body: { transition_id: 4, suggestion: '请改' } });
  expect((await school.author.get(tickets.get, { params: { id: ticket_id } })).value.due_at).toBeNull();
});

test('a letter made more urgent gets a deadline counted from then, on the next working day at the earliest and never later than before', async () => {
  const { write, clerk, detail, office: app } = school;
  const calls = async (more: object, level: number) => {
    const { id } = await write(more);
    await app.services.databases.write((tx) =>
      tx.execute(sql`update document set submitted_at = now() - interval '10 days' where id = ${id}`),
    );
    await clerk.get(documents.level, { params: { id }, body: { level, reason: '上级催要' } });
    return momentOf((await detail(clerk, id)).due_at!);
  };
  const tomorrow = Date.now() + 6 * 3_600_000;
  const [urgent, soonest] = [await calls({}, 1), await calls({}, 2)];
  expect(soonest.getTime()).toBeGreaterThan(tomorrow);
  expect(urgent.getTime()).toBeGreaterThan(soonest.getTime());
  const { id } = await write();
  const soon = new Date(Date.now() + 3_600_000);
  await app.services.databases.write((tx) =>
    tx.execute(sql`update document set due_at = ${soon.toISOString()} where id = ${id}`),
  );
  await clerk.get(documents.level, { params: { id }, body: { level: 1, reason: '上级催要' } });
  expect(Math.abs(momentOf((await detail(clerk, id)).due_at!).getTime() - soon.getTime())).toBeLessThan(1000);
});

test('overdue documents are counted alike by the home page, the lists and both statistics', async () => {
  const { write, head, office: app } = school;
  const { id } = await write();
  const { ticket_id } = await school.detail(head, id);
  const seen = await app.clerk({ 'ticket/statistics': ['Retrieve'], 'document/statistics': ['Retrieve'] });
  const counts = async () => {
    const { value } = await head.get(tickets.list, { query: { category: 'duty', per_page: 100 } });
    const now = new Date(Date.now() + 8 * 3_600_000).toISOString().replace('T', ' ');
    const { summary, by_handler } = (await seen.get(documentStatistics.call, {})).value as DocumentStatistics;
    const people = (await seen.get(ticketStatistics.call, {})).value as TicketStatistics;
    return {
      home: (await head.get(tickets.userMsg)).overdue,
      list: value.filter((row) => row.due_at !== null && row.due_at < now).length,
      documents: (await head.get(documents.list, { query: { category: 'duty' } })).value.filter(
        (row) => row.light === 3,
      ).length,
      ofDocuments: summary.overdue,
      holding: by_handler.find((row) => row.name === '李处长')?.overdue,
      ofTickets: people.summary.open_overdue,
      person: people.by_person.find((row) => row.name === '李处长')?.open_overdue,
    };
  };
  const all = (count: number) => ({
    home: count,
    list: count,
    documents: count,
    ofDocuments: count,
    holding: count,
    ofTickets: count,
    person: count,
  });
  expect(await counts()).toEqual(all(0));
  // Lets its time run out.
  await app.services.databases.write(async (tx) => {
    await tx.execute(sql`update document set due_at = now() - interval '1 day' where id = ${id}`);
    await tx.execute(
      sql`update ticket set due_at = now() - interval '1 day', record_due_at = now() - interval '1 day' where id = ${ticket_id}`,
    );
  });
  expect(await counts()).toEqual(all(1));
});
