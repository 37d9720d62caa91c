import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';

/** Publishes a workflow of records anew: its first state keeps what was agreed to there, while the record is as it was. */
export async function keepsFirst(app: TestOffice, key: string): Promise<void> {
  const { rows } = await app.db.execute<{ id: number }>(sql`select id from workflow where key = ${key}`);
  const params = { id: rows[0]!.id };
  const { definition } = await app.admin.get(designCalls.get, { params });
  const { destination } = definition.transitions.find((one) => one.key === 'submit')!;
  const states = definition.states.map((one) => (one.id === destination ? { ...one, keep_unchanged: true } : one));
  await app.admin.get(designCalls.change, { params, body: { definition: { ...definition, states } } });
  await app.admin.get(releaseCalls.publish, { params, body: {} });
}

interface Sent {
  ticket: number;
  /** Who decides in the first state, and in the next. */
  first: Client;
  second: Client;
  again(more: object): Promise<{ code: number; msg: string }>;
  /** Of the record, something its page shows. */
  change: object;
}

/**
 * Sent back by the second and sent again as it was, a record is not asked about anew of whoever agreed to it; with a change it is. Answers
 * what they are told is different: its title, what it was and what it is.
 */
export async function sentBackTwice({ ticket, first, second, again, change }: Sent): Promise<unknown[][]> {
  const params = { id: ticket };
  const press = async (who: Client, attribute: number) => {
    const { transitions } = (await who.get(tickets.get, { params })).value;
    const { transition_id } = transitions.find((one) => one.attribute_type_id === attribute && one.transition_id)!;
    await who.get(tickets.handle, { params, body: { transition_id: transition_id!, suggestion: '已阅' } });
  };
  const isAsked = async (who: Client) =>
    (await who.get(tickets.list, { query: { category: 'duty', ticket_ids: [ticket] } as never })).total > 0;
  const sendAgain = async (more: object) => {
    const { code, msg } = await again(more);
    expect(code, msg).toBe(0);
    return [await isAsked(first), await isAsked(second)];
  };
  await press(first, attributeType.agree);
  await press(second, attributeType.refuse);
  expect(await sendAgain({}), 'as it was').toEqual([false, true]);
  await press(second, attributeType.refuse);
  expect(await sendAgain(change), 'with a change').toEqual([true, false]);
  const { since_decided } = (await first.get(tickets.get, { params })).value;
  return since_decided!.record!.map((item) => [item.field_name, since_decided!.was[item.field_key], item.field_value]);
}
