import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, type Definition, type Transition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import type { Offer } from './offers.ts';
import { answersDelegation, type TicketState } from '../state.ts';

interface Face {
  title: string;
  target?: Offered['target'];
  /** The question asked before the action. */
  warning?: string;
}
const faces: Partial<Record<Offered['code'], Face>> = {
  accept: { title: '接单' },
  release: { title: '退还' },
  suspend: { title: '挂起' },
  resume: { title: '恢复' },
  deliver: { title: '转交', target: 'one' },
  delegate: { title: '委派', target: 'one' },
  add_node: { title: '加签', target: 'several' },
  add_node_end: { title: '完成加签' },
  remove_node: { title: '减签' },
  return: { title: '退回' },
  retreat: { title: '撤回', warning: '撤回后，已开始的处理会取消，确定吗？' },
  urge: { title: '催办' },
  cc: { title: '抄送', target: 'several' },
  comment: { title: '评论', target: 'optional' },
  state: { title: '调整环节', target: 'optional' },
  close: { title: '关闭', warning: '关闭后不能再处理，确定吗？' },
  revoke: { title: '作废', warning: '作废后不能恢复，确定吗？' },
  apply_finish: { title: '申请办结' },
  end_leave: { title: '销假' },
  delete: { title: '删除', warning: '删除后不能恢复，确定吗？' },
};

const unoffered: Record<string, string> = {
  correct: '更正意见',
  skip: '自动跳过',
  keep: '沿用原意见',
  regroup: '办理人变动',
  left: '办理人离岗',
  migrate: '迁移版本',
  timer: '到时自动流转',
  children: '下级工单办结',
  stall: '请流程管理员处理',
  answer: '外部系统回答',
  reply: '回复委派',
};

/** Names of actions by the workflow's administrators on others' tasks. */
const namesForAdmins: Partial<Record<Offered['code'], string>> = { deliver: '改派', add_node: '代为加签' };

/** The name of an action that is no transition; undefined for a transition, which has a name of its own. */
export function titleOf(action: string): string | undefined {
  return unoffered[action] ?? faces[action as Offered['code']]?.title;
}

/** Names of the tasks' holders, by task number; for a task to be claimed, the name of its group. */
export type Names = ReadonlyMap<number, { username: string; alias: string }>;

/** The tasks an offer chooses among. */
export const tasksAmong = (offer: Offer): readonly number[] =>
  offer.action === 'remove_node' || offer.from_admin ? offer.choices : [];

/** An offer as `transitions` returns it. `names`: of the tasks it chooses among; `on_behalf_of`: the person a delegate acts for. */
export function toWire(
  definition: Definition,
  ticket: TicketState,
  person: number,
  offer: Offer,
  names: Names,
  on_behalf_of = '',
): Offered {
  const { code, task_no, state_id, transition, choices } = offer;
  const face = faces[code];
  const replies = code === 'add_node_end' && answersDelegation(ticket, task_no);
  const title = replies ? titleOf('reply') : offer.from_admin ? namesForAdmins[code] : face?.title;
  const states = code === 'return' || code === 'state' ? choices : [];
  return {
    code,
    transition_id: transition?.id ?? null,
    transition_name: transition?.name ?? title ?? '',
    task_no,
    from_admin: offer.from_admin,
    on_behalf_of,
    state_id,
    attribute_type_id: transition?.attribute ?? attributeType.other,
    field_require_check: transition?.field_require_check ?? false,
    is_accept: code === 'accept',
    in_add_node: ticket.tasks.some((task) => task.no === task_no && task.answers),
    alert_enable: transition?.alert_enable ?? face?.warning !== undefined,
    alert_text: transition?.alert_text ?? face?.warning ?? '',
    suggestion_required: wordsNeeded(ticket, person, offer),
    signature_required: needsSignature(definition, offer),
    target: face?.target ?? 'none',
    states: states.map((id) => ({ state_id: id, state_name: stateOf(definition, id).name })),
    ...(offer.beside && {
      beside: offer.beside.flatMap((ids, branch) =>
        ids.map((id) => ({ state_id: id, state_name: stateOf(definition, id).name, branch })),
      ),
    }),
    added: tasksAmong(offer).map((no) => ({ task_no: no, username: '', alias: '', ...names.get(no) })),
    resubmit_mode: code === 'return' ? definition.settings.resubmit_mode : null,
    ...(offer.leave && { leave: offer.leave }),
  };
}

/** True if an offer needs a comment. */
export function wordsNeeded(ticket: TicketState, person: number, { code, transition }: Offer): boolean {
  if (transition) return code !== 'save' && needsWords(transition);
  // A creator may drop their own draft without a comment; somebody who ends another's ticket says why.
  const drops =
    person === ticket.creator && actState.is(ticket.act_state, actState.draft, actState.returned, actState.withdrawn);
  const needing: readonly Offered['code'][] = ['return', 'state', 'comment', 'suspend', 'revoke', 'apply_finish'];
  return needing.includes(code) || (code === 'close' && !drops);
}

/** True if a decision must be signed by hand. */
export function needsSignature(definition: Definition, { action, code, state_id }: Offer): boolean {
  if (action !== 'handle' || code === 'save' || state_id === null) return false;
  const { kind, actions } = stateOf(definition, state_id);
  return kind !== 'start' && actions.includes('sign');
}

/** Refusals always need words. */
export function needsWords(transition: Transition): boolean {
  return transition.suggestion_required || transition.attribute === attributeType.refuse;
}
