import type { StateKind } from '../../engine/codes.ts';

/** Kinds of states that can be added, with their effect. */
export const addable: readonly (readonly [StateKind, string])[] = [
  ['start', '发起人填写表单'],
  ['approve', '同意或拒绝'],
  ['handle', '办理后继续'],
  ['subticket', '在这里发起下级工单，全部办结后继续'],
  ['cc', '告知，不停留'],
  ['hook', '通知外部系统，可等它办完'],
  ['delay', '等一段时间后自动继续'],
  ['condition', '自动按条件走'],
  ['parallel_split', '同时走所有出口'],
  ['inclusive', '走所有满足条件的出口'],
  ['join', '等各条分支都到齐'],
  ['end', '流程结束'],
];

/** States that pass by themselves: nobody sees their buttons or fields. */
export const automatic: readonly StateKind[] = [
  'cc',
  'condition',
  'parallel_split',
  'inclusive',
  'join',
  'delay',
  'hook',
];
