import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { tickets } from './contract.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { verifyTicketLogs } from './store/chain.ts';
import { ticketActions } from './contract/actions.ts';
import { publishTrip } from './testing/flow.ts';

const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2, reason: '开会' };
const [submit, agree] = [2, 3];

let app: TestOffice;
let flow: number;
let signing: number;
let staff: Client;
let head: Client;

beforeAll(async () => {
  ({ office: app, staff, head } = await openSchool());
  flow = await publishTrip(app, 'trip');
  signing = await publishTrip(app, 'sign', ['sign']);
});
afterAll(() => app.close());

const begin = async (more: object = {}) =>
  (await staff.get(tickets.start, { body: { workflow_id: flow, transition_id: submit, ...form, ...more } })).id;
const agrees = (id: number, more: object = {}) =>
  head.get(tickets.handle, { params: { id }, body: { transition_id: agree, suggestion: '', ...more } });
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const rowOf = async (who: Client, id: number) =>
  (await who.get(tickets.list, { query: { category: 'relation', ticket_ids: String(id) } as never })).value[0]!;

test('people in a form appear by name, also in table rows and in the changes of the log', async () => {
  const [zhang, li] = [staff.username, head.username];
  const id = await begin({ who: zhang, trips: [{ who: li, place: '省厅' }] });
  const fields = (await detail(staff, id)).field_list;
  const named = (key: string) => fields.find((field) => field.field_key === key)?.field_people;
  expect([named('who'), named('trips')]).toEqual([{ [zhang]: '张三' }, { [li]: '李四' }]);
  await agrees(id, { trips: [{ who: zhang, place: '省厅' }] });
  const { value } = await staff.get(tickets.flowlogs, { params: { id }, query: { ticket_data: true } as never });
  expect(value[0]!.ticket_people).toEqual({ [zhang]: '张三', [li]: '李四' });
  expect(value.at(-1)!.ticket_people).toEqual({ [zhang]: '张三' });
});

test('a list marks changes by others since the viewer last opened a ticket, and none for tickets never opened', async () => {
  const id = await begin();
  expect((await rowOf(staff, id)).news).toBe(false);
  expect((await detail(staff, id)).looked_seq).toBeNull();
  const comment = (who: Client) => who.get(ticketActions.comment, { params: { id }, body: { suggestion: '知道了' } });
  await comment(staff);
  expect((await rowOf(staff, id)).news).toBe(false);
  await comment(head);
  expect((await rowOf(staff, id)).news).toBe(true);
  const seen = await detail(staff, id);
  expect([seen.looked_seq, seen.news]).toEqual([1, true]);
  expect([(await rowOf(staff, id)).news, (await detail(staff, id)).looked_seq]).toEqual([false, 3]);
  const { value } = await staff.get(tickets.flowlogs, { params: { id } });
  expect(value.map((log) => log.mine)).toEqual([true, true, false]);
});

async function signs(who: Client): Promise<number> {
  const sent = new FormData();
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  sent.set('module', 'tickets');
  sent.set('file', new Blob([new Uint8Array(bytes)]), '签名.png');
  const answer = await who.fetch('/api/file/upload/', { method: 'POST', body: sent });
  return ((await answer.json()) as { data: FileCard }).data.id;
}

test('a state that requires a signature accepts no decision without a fresh one by the person who decides', async () => {
  const begun = () => begin({ workflow_id: signing });
  const decide = (id: number, signature?: number) =>
    head.ask(tickets.handle, { params: { id }, body: { transition_id: agree, suggestion: '', signature } as never });
  const [id, other] = [await begun(), await begun()];
  const { transitions, actions } = await detail(head, id);
  expect(transitions.find((one) => one.code === 'approve')?.signature_required).toBe(true);
  expect(transitions.find((one) => one.code === 'deliver')?.signature_required).toBe(false);
  expect(actions).not.toContain('batch');
  expect((await decide(id)).msg).toBe('签名：“同意”需要手写签名，请打开工单签名');
  const batch = { ticket_ids: [id], action: 'agree' as const, suggestion: '' };
  expect((await head.get(ticketActions.batch, { body: batch })).value[0]).toMatchObject({ ok: false });
  expect((await decide(id, await signs(staff))).msg).toContain('签名：');
  const mine = await signs(head);
  expect(await decide(id, mine)).toMatchObject({ code: 0 });
  expect((await decide(other, mine)).msg).toContain('签名：');

  const { value } = await staff.get(tickets.flowlogs, { params: { id } });
  expect(value.map((log) => log.signature?.id ?? null)).toEqual([null, mine, ...value.slice(2).map(() => null)]);
  expect((await staff.fetch(value[1]!.signature!.url)).status).toBe(200);
  const outsider = await app.clerk({ 'ticket/new': ['Create'] }, { dataScope: 5 });
  expect((await outsider.fetch(`/api/file/${mine}/preview/`)).headers.get('content-type')).toContain('json');
  expect(await app.services.databases.write((tx) => verifyTicketLogs(tx))).toMatchObject({ broken: null });

  const proof = await signs(staff);
  const third = await begin({ workflow_id: signing, proof: [proof] });
  expect((await decide(third, proof)).msg).toBe('签名：这个签名已经用过，请重新签名');
});
