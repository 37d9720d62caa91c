import { afterAll, expect, test } from 'vitest';
import { custodyKind } from '../contract/seal-codes.ts';
import { nothingLeft } from '../contract/refusals.ts';
import { custodyCalls } from '../contract/custody.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { openDesk } from '../testing/applications.ts';

const desk = await openDesk();
afterAll(() => desk.app.close());
const lose = async (stamp: number) => {
  const body = { kind: custodyKind.lost, reason: '找不到了' };
  desk.expectOk(await desk.head.client.ask(custodyCalls.propose, { params: { id: stamp }, body: body as never }));
};

test('a seal that is lost during an application for two is dropped from it, and the other is approved', async () => {
  const [gone, left] = [await desk.seal(), await desk.seal()];
  const id = await desk.applied([gone, left]);
  await lose(gone);
  await desk.approve(id);
  expect([(await desk.line(id, gone)).state, (await desk.line(id, left)).state]).toEqual([5, 1]);
});

test('an application whose seals are all lost cannot be approved', async () => {
  const gone = await desk.seal();
  const id = await desk.applied([gone]);
  await lose(gone);
  const { ticket_id } = await desk.get(id);
  const body = { transition_id: 3, suggestion: '同意' };
  expect(await desk.head.client.ask(tickets.handle, { params: { id: ticket_id! }, body })).toRefuse(nothingLeft);
});
