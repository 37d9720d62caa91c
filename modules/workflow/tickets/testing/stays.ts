import type { Client, TestOffice } from '#apps/server/testing.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { ticketActions } from '../contract/actions.ts';
import { tickets } from '../contract.ts';
import { addFlow } from './flow.ts';

export const [submit, agrees, goesOn, ends] = [1, 2, 3, 4];

/** People around a ticket with others below it: its creator, its decider, those who start the lower ones and those who handle them. */
export async function staysCast(app: TestOffice) {
  const dept = await app.dept();
  const hire = (alias: string) => app.clerk({ 'ticket/new': ['Create'] }, { alias, dept, dataScope: 5 });
  const [staff, one, two, helper] = [await hire('张三'), await hire('李四'), await hire('王五'), await hire('孙八')];
  const end = (id: number) => ({ id, key: 'end', name: '结束', kind: 'end' as const, order: id });
  const start = { id: 1, key: 'start', name: '填写', kind: 'start' as const, order: 1 };
  const asks = (id: number, name: string, who: Client, more: object = {}) => ({
    id,
    key: `s${id}`,
    name,
    kind: 'approve' as const,
    order: id,
    participants: [{ type: 1 as const, user: who.userId }],
    actions: ['retreat' as const],
    label: { retreat: 'always' },
    ...more,
  });
  const way = (id: number, source: number, destination: number) => ({
    id,
    key: `w${id}`,
    name: `流转${id}`,
    source,
    destination,
    attribute: 1 as const,
  });
  const parent = (key: string, settings: object): Promise<number> =>
    addFlow(app, key, {
      name: key,
      fields: [],
      settings: { title_template: '{workflow}', ...settings } as DefinitionInput['settings'],
      states: [start, asks(2, '审批', one), asks(3, '协办', two, { kind: 'subticket' }), asks(4, '收尾', one), end(5)],
      transitions: [way(submit, 1, 2), way(agrees, 2, 3), way(goesOn, 3, 4), way(ends, 4, 5)],
    });
  const keeps = await parent('keeps', { children_on_close: 'keep' });
  const [takes, closes] = [await parent('takes', { children_on_retreat: 'close' }), await parent('closes', {})];
  const child = await addFlow(app, 'child', {
    name: '协办单',
    fields: [],
    settings: { title_template: '{workflow}' },
    states: [start, asks(2, '办理', helper), end(3)],
    transitions: [
      way(submit, 1, 2),
      way(agrees, 2, 3),
      { ...way(9, 1, 1), name: '保存', attribute: 3, field_require_check: false },
    ],
  });
  const press = (who: Client, id: number, transition_id: number) =>
    who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } });
  const tryBelow = (id: number, transition_id = submit) =>
    two.ask(tickets.start, {
      body: { workflow_id: child, transition_id, parent_ticket_id: id, parent_ticket_state_id: 3 },
    });
  return {
    staff,
    one,
    two,
    helper,
    keeps,
    takes,
    closes,
    press,
    tryBelow,
    begin: async (workflow_id: number) =>
      (await staff.get(tickets.start, { body: { workflow_id, transition_id: submit } })).id,
    below: async (id: number, transition_id = submit) => (await tryBelow(id, transition_id)).data.id,
    retreat: (who: Client, id: number) =>
      who.ask(ticketActions.retreat, { params: { id }, body: { suggestion: '撤回' } }),
    detail: async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value,
  };
}
