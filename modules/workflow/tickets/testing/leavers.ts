import { eventually } from '#kernel/server/testing/eventually.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { castOf } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions } from '../contract/actions.ts';
import { tickets } from '../contract.ts';
import { ticketTaskTable } from '../tables.ts';
import { addFlow } from './flow.ts';

export const [submit, agrees, refuses, save] = [1, 2, 3, 4];
type State = Partial<DefinitionInput['states'][number]>;
type Action = 'addNode' | 'addNodeEnd' | 'delegate' | 'suspend' | 'resume' | 'close' | 'retreat' | 'release';

/** A department that people leave: a head, a workflow administrator, and an applicant. */
export async function leaversCast(app: TestOffice) {
  const { dept, staff, head, hire } = await castOf(app, { head: '李部长' });
  const admin = await hire('流程员');
  const ways = (end: number) => [
    { id: submit, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 as const },
    { id: agrees, key: 'agree', name: '同意', source: 2, destination: end, attribute: 1 as const },
    { id: refuses, key: 'refuse', name: '拒绝', source: 2, destination: 1, attribute: 2 as const },
    {
      id: save,
      key: 'save',
      name: '保存',
      source: 1,
      destination: 1,
      attribute: 3 as const,
      field_require_check: false,
    },
  ];
  let made = 0;
  /** A workflow of one state that asks people as `state` says. */
  const flow = async (state: State, settings: object = {}): Promise<number> => {
    const key = `leave${++made}`;
    const workflow_id = await addFlow(app, key, {
      name: `流程${made}`,
      fields: [],
      settings: { title_template: '{workflow}', ...settings } as DefinitionInput['settings'],
      states: [
        { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
        {
          id: 2,
          key: 'work',
          name: '审批',
          kind: 'approve',
          order: 2,
          actions: ['deliver', 'delegate', 'add_node', 'return', 'retreat'],
          ...state,
        },
        { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
      ],
      transitions: ways(3),
    });
    await app.services.databases.write((tx) =>
      tx.insert(workflowGrantTable).values({
        workflow_id,
        permission: 'admin',
        holder_type: 'user',
        holder: String(admin.userId),
      }),
    );
    return workflow_id;
  };
  return {
    dept,
    staff,
    head,
    admin,
    hire,
    flow,
    begin: async (workflow_id: number, who = staff, transition_id = submit) =>
      (await who.get(tickets.start, { body: { workflow_id, transition_id } })).id,
    press: (who: Client, id: number, transition_id: number) =>
      who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } }),
    act: (who: Client, action: Action, id: number, body: object = {}) =>
      who.ask(ticketActions[action] as typeof ticketActions.addNodeEnd, {
        params: { id },
        body: { suggestion: '说明', ...body },
      }),
    detail: async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value,
    disable: (who: Client) => app.admin.ask(users.update, { params: { id: who.userId }, body: { is_active: false } }),
    remove: (who: Client) => app.admin.ask(users.remove, { params: { id: who.userId } }),
    /** Names of those with an open task in a ticket, each with its state. */
    holders: async (id: number, statuses: ('todo' | 'waiting')[] = ['todo']) => {
      const { rows } = await app.db.execute<{ alias: string }>(sql`
        select u.alias from ${ticketTaskTable} join app_user u on u.id = ${ticketTaskTable.assignee_id}
        where ${and(eq(ticketTaskTable.ticket_id, id), inArray(ticketTaskTable.status, statuses))} order by u.id`);
      return rows.map((row) => row.alias);
    },
    /** Waits until no more candidate jobs are queued. */
    settled: () =>
      eventually(async () => {
        const { rows } = await app.db.execute(sql`select from graphile_worker.jobs where key like 'pools:%'`);
        if (rows.length > 0) throw new Error('people are still being asked for');
      }),
  };
}
