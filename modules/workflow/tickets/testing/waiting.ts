import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { stateActions, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { addFlow } from './flow.ts';

const acts = stateActions.filter((action) => action !== 'sign');
const person = (user: Client) => [{ type: 1 as const, user: user.userId }];
const start = { id: 1, key: 'start', name: '填写', kind: 'start' as const, order: 1 };
const submit = { id: 1, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 as const };
type States = DefinitionInput['states'];
type Links = DefinitionInput['transitions'];

/** A school with workflows that wait: for a timer, for tickets below a state, for somebody to claim, and for parallel branches. */
export async function openWaiting() {
  const school = await openSchool({}, { head: '赵六' });
  const { office: app, staff, head } = school;
  const [one, two, admin] = [await school.hire('李四'), await school.hire('王五'), await school.hire('周九')];
  const flows: Record<string, number> = {};
  const publish = async (key: string, states: States, transitions: Links, fields: DefinitionInput['fields'] = []) => {
    const prefix = `W${'ABCDEFGH'[Object.keys(flows).length]}`;
    flows[key] = await addFlow(app, key, {
      name: key,
      fields,
      settings: { title_template: '{workflow}', number_rule: { prefix, digits: 4, period: 'day' } },
      states,
      transitions,
    });
  };
  const end = (id: number) => ({ id, key: 'end', name: '结束', kind: 'end' as const, order: id });
  const agree = (id: number, source: number, destination: number, more: object = {}) => ({
    id,
    key: `t${id}`,
    name: '同意',
    source,
    destination,
    attribute: 1 as const,
    ...more,
  });
  const asks = (id: number, key: string, who: Client, more: object = {}) => ({
    id,
    key,
    name: key,
    kind: 'approve' as const,
    order: id,
    participants: person(who),
    actions: acts,
    ...more,
  });
  await publish(
    'timed',
    [start, asks(2, 'first', one), asks(3, 'second', two), end(4)],
    [submit, agree(2, 2, 3, { timer: 7200 }), agree(3, 3, 4)],
  );
  await publish(
    'cooling',
    [start, { id: 2, key: 'delay', name: '公示', kind: 'delay', order: 2 }, asks(3, 'after', one), end(4)],
    [submit, agree(2, 2, 3, { timer: 3600, timer_working_time: true }), agree(3, 3, 4)],
  );
  const helper = { id: 1, key: 'helper', name: '协办人', type: 60 as const };
  await publish(
    'parent',
    [{ ...start, access: { helper: 3 } }, asks(2, 'below', one, { kind: 'subticket' }), asks(3, 'after', two), end(4)],
    [submit, agree(2, 2, 3), agree(3, 3, 4)],
    [helper],
  );
  await publish(
    'child',
    [start, { ...asks(2, 'help', two), participants: [{ type: 8, field: 'helper' }], on_self: 1 }, end(3)],
    [submit, agree(2, 2, 3), { id: 9, key: 'save', name: '保存', source: 1, destination: 1, attribute: 3 }],
  );
  await publish(
    'pool',
    [
      start,
      asks(2, 'pool', one, {
        participants: [{ type: 2, users: [one.userId, two.userId] }],
        distribution: { type: 1 },
        timeout: { hours: 1, working_time: false, action: 4 },
      }),
      end(3),
    ],
    [submit, agree(2, 2, 3)],
  );
  await publish(
    'beside',
    [
      start,
      { id: 2, key: 'split', name: '同时', kind: 'parallel_split', order: 2 },
      asks(3, 'law', one),
      asks(4, 'money', two),
      { id: 5, key: 'join', name: '汇合', kind: 'join', order: 5 },
      asks(6, 'chief', head),
      end(7),
    ],
    [
      submit,
      { id: 2, key: 't2', name: '进入', source: 2, destination: 3, attribute: 3 },
      { id: 3, key: 't3', name: '进入', source: 2, destination: 4, attribute: 3 },
      agree(4, 3, 5),
      { id: 5, key: 't5', name: '拒绝', source: 3, destination: 1, attribute: 2 },
      agree(6, 4, 5),
      { id: 7, key: 't7', name: '继续', source: 5, destination: 6, attribute: 3 },
      agree(8, 6, 7),
    ],
  );
  await app.services.databases.write((tx) =>
    tx.insert(workflowGrantTable).values(
      Object.values(flows).map((workflow_id) => ({
        workflow_id,
        permission: 'intervene' as const,
        holder_type: 'user' as const,
        holder: String(admin.userId),
      })),
    ),
  );
  return { app, staff, one, two, head, admin, flows };
}
