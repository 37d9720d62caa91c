import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { openSchool } from './testing/school.ts';

let school: Awaited<ReturnType<typeof openSchool>>;
let boss: Client;
beforeAll(async () => {
  school = await openSchool();
  boss = await school.office.signIn(
    await school.office.person({ alias: '赵书记', dept: school.dept, roles: ['xld', 'staff'] }),
  );
});
afterAll(() => school.office.close());

const memo = { doc_kind: 3, doc_type: 99, title: '关于出差的签报', main_send: [], number_rule_id: null } as const;
const waitsFor = async (ticketId: number, who: Client) =>
  (await who.get(tickets.get, { params: { id: ticketId } })).value.participant_info.participant_alias;

test('a memo by a leader is decided by the other leaders', async () => {
  const { head, main, leader, write, handle } = school;
  const { ticket_id } = await write(memo as never, boss);
  await handle(head, ticket_id, 3);
  await handle(leader, ticket_id, 7);
  expect(await waitsFor(ticket_id, boss)).toContain('陈校长');
  expect(await waitsFor(ticket_id, boss)).not.toContain('赵书记');
  expect((await handle(boss, ticket_id, 9)).code).not.toBe(0);
  expect((await handle(main, ticket_id, 9)).code).toBe(0);
});

test('a letter drafted by the office is reviewed by others of the office, or by the author’s superior', async () => {
  const { head, clerk, write, handle } = school;
  const { ticket_id } = await write({}, clerk);
  await handle(head, ticket_id, 3);
  const fields = { issuer: school.issuer };
  expect(await waitsFor(ticket_id, clerk)).not.toContain('党政办');
  expect((await handle(clerk, ticket_id, 7, fields)).code).not.toBe(0);
});
