import type { Calls } from '#kernel/contract/call.ts';
import type { ActionCode, Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { ticketActions } from '../../contract/actions.ts';

/** Actions with a form of their own. */
export type FormCode = Exclude<ActionCode, 'accept' | 'delete'>;

/** An action with a form of its own: the call it sends and the words of the form. */
export interface Action {
  call: Calls[string];
  /** The effect, shown before it is done. */
  says: string;
  /** Label of the people input. */
  people: string;
  /** Label of the state input. */
  where: string;
  /** Label of the comment. */
  words: string;
  /** The call takes the task, and the version it was read with. */
  task: boolean;
  version: boolean;
  danger: boolean;
}

const plain = { people: '人员', where: '环节', words: '说明', task: false, version: true, danger: false } as const;

export const actions: Readonly<Record<FormCode, Action>> = {
  deliver: {
    ...plain,
    call: ticketActions.deliver,
    says: '由对方代替您办理，您不再有这项待办',
    people: '转交给',
    task: true,
  },
  delegate: {
    ...plain,
    call: ticketActions.delegate,
    says: '请对方先给出意见，回复后再由您办理',
    people: '委派给',
    task: true,
  },
  add_node: {
    ...plain,
    call: ticketActions.addNode,
    says: '请其他人一起办理这个环节',
    people: '加签给',
    task: true,
  },
  add_node_end: {
    ...plain,
    call: ticketActions.addNodeEnd,
    says: '给出意见后，工单回到请您办理的人',
    words: '意见',
    task: true,
  },
  remove_node: { ...plain, call: ticketActions.removeNode, says: '被减签的人不再办理这张工单', danger: true },
  return: {
    ...plain,
    call: ticketActions.giveBack,
    says: '退回到办理过的环节，正在办理的其他人不再有这项待办',
    where: '退回到',
    words: '退回原因',
    task: true,
  },
  retreat: {
    ...plain,
    call: ticketActions.retreat,
    says: '工单收回到您这里，正在办理的人不再有这项待办',
    words: '撤回原因',
    danger: true,
  },
  release: {
    ...plain,
    call: ticketActions.release,
    says: '退还后您和其他人都可以再接单',
    task: true,
  },
  suspend: {
    ...plain,
    call: ticketActions.suspend,
    says: '挂起期间不能办理，办理时限暂停计算',
    words: '挂起原因',
    task: true,
  },
  resume: { ...plain, call: ticketActions.resume, says: '恢复办理，剩余的办理时限继续计算', task: true },
  revoke: {
    ...plain,
    call: ticketActions.revoke,
    says: '已办结的工单不再有效，不能恢复',
    words: '作废原因',
    danger: true,
  },
  urge: { ...plain, call: ticketActions.urge, says: '提醒正在办理的人', words: '留言', version: false },
  cc: { ...plain, call: ticketActions.cc, says: '对方可以查看这张工单，不影响办理', people: '抄送给', version: false },
  comment: {
    ...plain,
    call: ticketActions.comment,
    says: '写给能看到这张工单的人；被提到的人会收到提醒，并可以查看工单',
    people: '提到',
    words: '评论',
    version: false,
  },
  state: {
    ...plain,
    call: ticketActions.state,
    says: '不按流程改到另一个环节，正在办理的人不再有这项待办；记入流转记录',
    people: '由谁办理（不选则按环节设置）',
    where: '调整到',
    words: '原因',
    danger: true,
  },
  apply_finish: {
    ...plain,
    call: ticketActions.applyFinish,
    says: '事项已经办完，请办公室确认；确认之后不能再改',
    words: '办理结果',
  },
  end_leave: {
    ...plain,
    call: ticketActions.endLeave,
    says: '从返岗时起不再计为不在岗，值班、忙闲和日历随之更新，批过和收到抄送的人会收到通知；设过委托的，请另行结束委托',
  },
  close: {
    ...plain,
    call: ticketActions.close,
    says: '关闭后工单不再办理，不能恢复',
    words: '关闭原因',
    danger: true,
  },
};

/** Differences for actions on somebody else's task. */
const withTasksOfOthers: Partial<Record<Offered['code'], Partial<Action>>> = {
  deliver: { says: '把一位办理人的待办交给他人办理；原办理人会收到通知', people: '改派给' },
  add_node: { says: '请其他人和一位办理人一起办理这个环节' },
};

export function actionOf({ code, from_admin }: Pick<Offered, 'code' | 'from_admin'>): Action | null {
  if (!(code in actions)) return null;
  return { ...actions[code as FormCode], ...(from_admin ? withTasksOfOthers[code] : {}) };
}
