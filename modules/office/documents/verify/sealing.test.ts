import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { sealCalls } from '#modules/office/stamps/contract/seals.ts';
import { sealing } from '#modules/office/stamps/testing/asking.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { openSchool, type School } from '../testing/school.ts';

let school: School;
let stamp: number;
let keeper: Awaited<ReturnType<School['hire']>>;
let asking: ReturnType<typeof sealing>;
beforeAll(async () => {
  school = await openSchool();
  const { dept, hire, clerk } = school;
  keeper = await hire('保管人', { roles: ['seal_keeper'] });
  const body = { name: '发文专用章', type: 6, dept_id: dept, keeper: keeper.username };
  stamp = (await clerk.get(sealCalls.addStamp, { body: body as never })).id!;
  asking = sealing({ stamp, keeper, head: school.head, applicant: school.author });
}, 180_000);
afterAll(() => school.office.close());

/** A finished letter, and an approved application for its seal. */
async function toSeal(title: string) {
  const { id, ticket_id } = await school.write({ title });
  await school.goOn(ticket_id);
  const offer = () => school.author.get(applicationCalls.source, { query: { module: 'documents', id } });
  await eventually(async () => expect((await offer()).offer).not.toBeNull());
  const asked = await asking.approved({ module: 'documents', id }, (await offer()).offer!);
  return { id, ticket_id, asked, offer };
}
const revoke = (id: number) =>
  school.office.admin.ask(ticketActions.revoke, { params: { id }, body: { suggestion: '发错' } as never });

test('open seal applications of a revoked document end, and the keeper is told why', async () => {
  const { ticket_id, asked, offer } = await toSeal('关于停课的通知');
  expect((await revoke(ticket_id)).code).toBe(0);
  expect(await asking.get(asked)).toMatchObject({ seal_status: 5 });
  expect((await asking.seal(asked)).code).not.toBe(0);
  expect((await offer()).offer).toBeNull();
  const told = (await keeper.get(messages.unread)).value.map((one) => one.title);
  expect(told.some((title) => title.startsWith('不再用印') && title.includes('关于停课的通知'))).toBe(true);
}, 180_000);

test('a seal application takes file, title, kind and recipients from its document, whatever is sent', async () => {
  const { id, offer } = await toSeal('关于不许换文件的通知');
  await asking.expectUnchanged({ module: 'documents', id }, (await offer()).offer!);
}, 180_000);

test('sealed and revoked at once, a document either bears the seal or its application ended', async () => {
  for (const nth of [1, 2, 3]) {
    const { ticket_id, asked } = await toSeal(`关于第 ${nth} 次调整的通知`);
    const [sealed, voided] = await Promise.all([asking.seal(asked), revoke(ticket_id)]);
    expect(voided.code, voided.msg).toBe(0);
    expect((await asking.get(asked)).seal_status).toBe(sealed.code === 0 ? 2 : 5);
  }
}, 180_000);
