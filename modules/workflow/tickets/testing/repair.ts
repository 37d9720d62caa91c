import type { Client, TestOffice } from '#apps/server/testing.ts';
import { castOf } from '#apps/server/testing/school.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { ticketActions } from '../contract/actions.ts';
import { tickets } from '../contract.ts';

type Action = Exclude<keyof typeof ticketActions, 'batch'>;

/** Buttons of the seeded 信息化服务. */
export const [save, submit, headAgrees, headRefuses, leaderAgrees, leaderRefuses, finish, giveBack] = [
  1, 2, 3, 4, 5, 6, 7, 8,
];
export const form = {
  title: '水管漏水',
  category: 'network',
  place: '一号楼 301',
  urgency: 'urgent',
  description: '洗手池',
};

/** People around the service tickets of one department: applicant, deciders, helper, workers, and somebody uninvolved. */
export async function repairCast(app: TestOffice) {
  const {
    staff,
    head,
    leader,
    worker,
    colleague: helper,
    stranger,
    hire,
  } = await castOf(app, {
    dept: '后勤处',
    below: '维修科',
    elsewhere: '档案馆',
  });
  const second = await hire('周九');
  const flows = (await staff.get(workflows.list)).value;
  const flowOf = (key: string) => flows.find((flow) => flow.key === key)!.id;
  const repair = flowOf('it_service');
  const people = { staff, head, leader, worker, helper, second, stranger };
  const username = (who: Client) => who.username;
  const begin = (fields: object = {}, transition_id = submit) =>
    staff.get(tickets.start, { body: { workflow_id: repair, transition_id, ...form, ...fields } });
  const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
  return {
    ...people,
    repair,
    /** Looked up only when needed: it may have been deleted. */
    get leave() {
      return flowOf('leave');
    },
    clerk: hire,
    username,
    begin,
    /** Starts a service ticket that waits for the head. */
    waiting: async (fields: object = { amount: 300 }) => (await begin(fields)).id,
    act: (who: Client, action: Action, id: number, body: object = {}) =>
      who.ask(ticketActions[action] as typeof ticketActions.deliver, { params: { id }, body: body as never }),
    to: (who: Client, more: object = {}) => ({ target_username: username(who), ...more }),
    codesOf: async (who: Client, id: number) => (await detail(who, id)).transitions.map((offer) => offer.code),
    offerOf: async (who: Client, id: number, code: string) =>
      (await detail(who, id)).transitions.find((offer) => offer.code === code)!,
    does: (who: Client, id: number, transition_id: number, more: object = {}) =>
      who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } }),
    detail,
    duties: async (who: Client) =>
      (await who.get(tickets.list, { query: { category: 'duty', per_page: 100 } })).value.map((row) => row.id),
  };
}
export type RepairCast = Awaited<ReturnType<typeof repairCast>>;
