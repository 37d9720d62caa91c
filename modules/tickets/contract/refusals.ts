import { codes, refusal } from '#kernel/contract/refusal.ts';

/** What was asked is not offered (any more); what is, comes along. */
export const notOffered = refusal(
  codes.notNow,
  (why: string, _actState: number, _actions: readonly string[]) => why,
  (_why, act_state, actions) => ({ act_state, actions }),
);
export const cannotStart = refusal(codes.refused, (why: string) => why);
export const nobodyThere = refusal(
  codes.refused,
  (state: string) => `下一环节「${state}」找不到处理人，请联系流程管理员设置后再提交`,
);
export const pickSomebody = refusal(codes.refused, (state: string) => `请先为环节「${state}」选择处理人`);
export const tooManyPeople = refusal(
  codes.refused,
  (state: string, count: number) => `环节「${state}」的处理人有 ${count} 人，超过了上限，请联系流程管理员`,
);
export const runsInCircles = refusal(
  codes.refused,
  (state: string) => `流程在环节「${state}」自动绕圈，请联系流程管理员`,
);
