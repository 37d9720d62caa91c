import { sql } from 'drizzle-orm';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { designCalls, type Design } from '../contract/design.ts';
import { releaseCalls } from '../contract/release.ts';

export type Definition = Design['definition'];

/** A second approval between the first and the end, by the people in `more`. */
export const withSecond =
  (more: object) =>
  (definition: Definition): Definition => ({
    ...definition,
    states: [
      ...definition.states,
      { ...definition.states[1]!, id: 4, key: 'second', name: '复审', order: 3, on_self: 1, ...more },
    ],
    transitions: [
      ...definition.transitions.map((one) => (one.key === 'agree' ? { ...one, destination: 4 } : one)),
      { ...definition.transitions[2]!, id: 5, key: 'agree2', source: 4, destination: 3 },
    ],
  });

/** A school in which workflows are designed, published and run. */
export async function openPublishing() {
  const school = await openSchool();
  const { office: app, staff, head, leader } = school;
  // Nobody serves here, to show who steps in.
  await app.services.databases.write((tx) =>
    tx.execute(sql`delete from user_role where user_id = ${school.worker.userId}`),
  );
  const all = ['Create', 'Retrieve', 'Update', 'Delete'] as const;
  const keeper = await app.clerk({ 'workflow/list': [...all] }, { alias: '流程员' });
  let serial = 0;

  const design = (id: number) => keeper.get(designCalls.get, { params: { id } });
  const publish = (id: number, body: object = {}) => keeper.ask(releaseCalls.publish, { params: { id }, body });
  async function flow(change: (definition: Definition) => Definition = (same) => same): Promise<number> {
    const { id } = await keeper.get(designCalls.add, { body: { name: `流程 ${++serial}` } });
    await edit(id, change);
    return id;
  }
  async function edit(id: number, change: (definition: Definition) => Definition) {
    const { definition } = await design(id);
    return keeper.get(designCalls.change, { params: { id }, body: { definition: change(definition) } });
  }
  const begin = (workflow_id: number, title = '申请') =>
    staff.get(tickets.start, { body: { workflow_id, transition_id: 2, title } });
  const does = (who: Client, id: number, transition_id: number) =>
    who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } });
  return { app, keeper, staff, head, leader, design, publish, flow, edit, begin, does, close: () => app.close() };
}
