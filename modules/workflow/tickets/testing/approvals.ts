import { momentText } from '#kernel/contract/moment.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { distributeType, onSelf, participantType, rejectRule } from '#modules/workflow/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { addFlow } from './flow.ts';
import type { repairCast } from './repair.ts';

export const [submit, agree, refuse, done] = [2, 3, 4, 5];
/** The state in which others decide, and the following end. */
export const [approval, end] = [2, 3];

type State = Partial<DefinitionInput['states'][number]>;
type Cast = Awaited<ReturnType<typeof repairCast>>;

/** A workflow with one approval that nobody gives on their own tickets, unless `state` says otherwise; it may be agreed to, refused or completed. */
export function approvalOf(name: string, state: State): DefinitionInput {
  return {
    name,
    fields: [
      { id: 1, key: 'title', name: '标题', type: 5 },
      { id: 2, key: 'who', name: '审批人', type: 60 },
    ],
    settings: { display_form: ['title'] },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { title: 2, who: 3 } },
      {
        id: approval,
        key: 'approve',
        name: '审批',
        kind: 'approve',
        order: 2,
        on_self: onSelf.skip,
        actions: ['deliver', 'delegate', 'add_node', 'return'],
        access: { title: 1, who: 1 },
        ...state,
      },
      { id: end, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { id: 1, key: 'save', name: '保存', source: 1, destination: 1, attribute: 3, field_require_check: false },
      { id: submit, key: 'submit', name: '提交', source: 1, destination: approval, attribute: 1 },
      { id: agree, key: 'agree', name: '同意', source: approval, destination: end, attribute: 1 },
      { id: refuse, key: 'refuse', name: '拒绝', source: approval, destination: 1, attribute: 2 },
      { id: done, key: 'done', name: '办结', source: approval, destination: end, attribute: 3 },
    ],
  };
}
export const [confirms, goesOn] = [6, 7];
/** The workflow with a state in which the end of a finished ticket is confirmed, or not. */
export function withConfirmation({ states, transitions, ...rest }: DefinitionInput, state: State): DefinitionInput {
  const confirm = { id: 4, key: 'confirm', name: '办结确认', kind: 'approve', order: 4 } as const;
  return {
    ...rest,
    states: [...states, { ...confirm, access: { title: 1 }, label: { finish: 'confirm' }, ...state }],
    transitions: [
      ...transitions,
      { id: confirms, key: 'confirms', name: '确认', source: confirm.id, destination: end, attribute: 1 },
      { id: goesOn, key: 'goes_on', name: '继续办理', source: confirm.id, destination: end, attribute: 2 },
    ],
  };
}
export const addApproval = (app: TestOffice, key: string, state: State): Promise<number> =>
  addFlow(app, key, approvalOf(key, state));

export const asks = (...people: Client[]): State => ({
  participants: [{ type: participantType.users, users: people.map((who) => who.userId) }],
});
/** All people vote, and all votes are awaited. */
export const jointly: State = {
  distribution: { type: distributeType.all, reject_rule: rejectRule.wait, pass_ratio: 100 },
};

/** Delegates one person's tasks to another from yesterday until tomorrow. */
export async function standsInFor(cast: Pick<Cast, 'username'>, from: Client, to: Client): Promise<void> {
  const day = 86_400_000;
  const [start, stop] = [-day, day].map((off) => momentText(new Date(Date.now() + off)));
  await from.get(delegations.create, { body: { delegate: cast.username(to), start: start!, end: stop! } });
}
