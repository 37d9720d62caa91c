import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

let app: TestOffice;
let [staff, handler, admin]: Client[] = [];
let [final, confirmed]: number[] = [];
const [done, confirms, goesOn] = [2, 3, 4];

beforeAll(async () => {
  app = await openTestApp();
  const dept = await app.dept();
  const hired: Client[] = [];
  for (const alias of ['张三', '李四', '赵六'])
    hired.push(await app.clerk({ 'ticket/new': ['Create'] }, { alias, dept, dataScope: 5 }));
  [staff, handler, admin] = hired;
  const asks = { kind: 'handle' as const, participants: [{ type: 1 as const, user: handler!.userId }] };
  const flow = (name: string, prefix: string, confirm: boolean): DefinitionInput => ({
    name,
    fields: [],
    settings: { title_template: '{workflow}', revoke: 'nobody', number_rule: { prefix, digits: 4, period: 'day' } },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      { id: 2, key: 'work', name: '办理', order: 2, ...asks },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 4 },
      ...(confirm
        ? [{ id: 4, key: 'confirm', name: '办结确认', order: 3, label: { finish: 'confirm' }, ...asks }]
        : []),
    ],
    transitions: [
      { id: 1, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: done, key: 'done', name: '完成', source: 2, destination: 3, attribute: 1 },
      ...(confirm
        ? [
            { id: confirms, key: 'confirms', name: '确认', source: 4, destination: 3, attribute: 1 as const },
            { id: goesOn, key: 'on', name: '继续', source: 4, destination: 3, attribute: 2 as const },
          ]
        : []),
    ],
  });
  final = await addFlow(app, 'final', flow('办完为止', 'FA', false));
  confirmed = await addFlow(app, 'confirmed', flow('办结要确认', 'FB', true));
  await app.services.databases.write((tx) =>
    tx.insert(workflowGrantTable).values(
      [final!, confirmed!].map((workflow_id) => ({
        workflow_id,
        permission: 'admin' as const,
        holder_type: 'user' as const,
        holder: String(admin!.userId),
      })),
    ),
  );
}, 180_000);
afterAll(() => app.close());

const finished = async (workflow_id: number) => {
  const { id } = await staff!.get(tickets.start, { body: { workflow_id, transition_id: 1 } });
  const body = { transition_id: done, suggestion: '好' };
  expect((await handler!.ask(tickets.handle, { params: { id }, body })).data.act_state).toBe(4);
  return id;
};
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const offersTo = async (who: Client, id: number) => (await detail(who, id)).transitions;

describe('in a workflow that allows no revocation', () => {
  test('a finished ticket can be neither closed nor moved, and neither action is offered', async () => {
    const id = await finished(final!);
    for (const who of [staff!, handler!, admin!])
      expect((await offersTo(who, id)).map((offer) => offer.code)).toEqual(['comment']);
    const body = { suggestion: '不算了' };
    const tried = [
      await admin!.ask(actions.close, { params: { id }, body }),
      await admin!.ask(actions.state, { params: { id }, body: { ...body, state_id: 2 } }),
      await admin!.ask(actions.revoke, { params: { id }, body }),
    ];
    expect(tried.map((answer) => [answer.code, answer.msg])).toEqual(tried.map(() => [4010, '工单已通过，不能再处理']));
    expect((await detail(staff!, id)).act_state_id).toBe(4);
  });

  test('a ticket whose end is being confirmed can be moved only to the confirmation or the end', async () => {
    const id = await finished(confirmed!);
    const body = { suggestion: '办好了' };
    expect((await staff!.ask(actions.applyFinish, { params: { id }, body })).data.act_state).toBe(6);
    const moves = (await offersTo(admin!, id)).find((offer) => offer.code === 'state');
    expect(moves?.states.map((state) => state.state_name)).toEqual(['结束', '办结确认']);
    const back = await admin!.ask(actions.state, { params: { id }, body: { ...body, state_id: 2 } });
    expect(back.code).toBe(4010);
    expect((await admin!.ask(actions.close, { params: { id }, body })).code).toBe(0);
  });
});
