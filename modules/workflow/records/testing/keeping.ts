import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';

/** Publishes a workflow of records anew, so that its first state keeps earlier agreements while the record is unchanged. */
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
  /** The people who decide in the first state and in the next. */
  first: Client;
  second: Client;
  again(more: object): Promise<{ code: number; msg: string }>;
  /** A change to something that the record's page shows. */
  change: object;
}

/**
 * Checks that a record sent back by the second person and sent again unchanged is not asked about again of those who agreed to it, and is asked about
 * with a change. Returns the differences they are shown: title, old and new value.
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
