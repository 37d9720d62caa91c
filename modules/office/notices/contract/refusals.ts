import { codes, refusal } from '#kernel/contract/refusal.ts';

export const nobodyMeant = refusal(codes.refused, () => '没有可以看到通知的人，请选择部门、角色、人员或全体人员');
export const beyondReach = refusal(codes.forbidden, () => '通知范围超出您的管理范围，请只选择本范围内的部门和人员');
export const timePast = refusal(
  codes.refused,
  (what: string, at: string) => `${what} ${at.slice(0, 16)} 已过，请选择今后的时间`,
);
export const timesCrossed = refusal(
  codes.refused,
  (expire: string, publish: string) =>
    `失效时间 ${expire.slice(0, 16)} 不晚于发布时间 ${publish.slice(0, 16)}，请重新选择`,
);
export const secretNotAnnounced = refusal(codes.refused, () => '涉密公文不能在通知中引用，请改用公文分发');
export const notShown = refusal(
  codes.notNow,
  (state: 'coming' | 'expired') => `通知${state === 'coming' ? '还没有发布' : '已过有效期'}，现在无需催读`,
);
export const nobodyUnread = refusal(codes.notNow, () => '没有需要提醒的人员，无需催读');
