import { codes, refusal } from '#kernel/contract/refusal.ts';

export const notThrough = refusal(
  codes.notNow,
  (state: string) => `公文“${state}”，还不能分发：要到流程写明可以分发的环节，或者办结之后`,
);
export const nobodyChosen = refusal(codes.refused, () => '没有可以接收的人，请选择部门、角色或人员');
export const beyondScope = refusal(
  codes.forbidden,
  (count: number) => `这份公文不属于您的管理范围，只能转给本范围内的人员，所选人员中有 ${count} 人不在范围内`,
);
export const secretNotTexted = refusal(codes.refused, () => '涉密公文不发短信，请取消短信提醒');
export const deadlineOver = refusal(codes.refused, (at: string) => `阅读期限 ${at} 已过，请选择今后的时间`);
export const recalledBefore = refusal(codes.notNow, (at: string) => `该次分发已于 ${at} 收回，无需再处理`);
export const mayNotRecall = refusal(codes.forbidden, () => '只有分发人和办公室可以收回、催读');
export const nobodyUnread = refusal(codes.notNow, () => '没有可催读的人：未阅读的只有您本人，或已离职');
