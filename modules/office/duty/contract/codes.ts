import { codeSet } from '#kernel/contract/codes.ts';

export const dutyDay = codeSet({ work: [1, '工作日'], rest: [2, '休息日'], holiday: [3, '节假日'] });
export const dutyPost = codeSet({ lead: [1, '带班领导'], staff: [2, '值班员'], backup: [3, '备勤'] });
/** The input fields of the people of each post. */
export const postKeys = ['lead', 'staff', 'backup'] as const;
export type PostKey = (typeof postKeys)[number];
/** Nobody has two shifts of this post within a day. */
export const restingPost = dutyPost.staff;
export const shiftState = codeSet({
  draft: [0, '未发布'],
  ahead: [1, '待接班'],
  running: [2, '值班中'],
  over: [3, '已交班'],
  missed: [4, '无人接班'],
  cancelled: [5, '已取消'],
});
/** `missed` is over without having been taken over. */
export const { missed, cancelled } = shiftState;
export const swapState = codeSet({
  asked: [1, '待对方答复'],
  agreed: [2, '待办公室确认'],
  swapped: [3, '已换班'],
  declined: [4, '不同意'],
  withdrawn: [5, '已撤回'],
  lapsed: [6, '班次变动作废'],
});
/** The way somebody came to a shift. */
export const dutySource = codeSet({ byHand: [1, '手工安排'], made: [2, '轮排'], swapped: [3, '换班'] });
export const swapActs = { agree: '同意', decline: '不同意', withdraw: '撤回', confirm: '确认' } as const;
export const entryKind = codeSet({
  call: [1, '来电'],
  visit: [2, '来访'],
  round: [3, '巡查'],
  incident: [4, '突发'],
  other: [9, '其他'],
});
export const { incident } = entryKind;

/** `11-23 17:30 至 11-24 08:00`; `dated` writes a minute with its day. */
export const spanText = (
  { start_time, end_time }: { start_time: string; end_time: string },
  dated = (minute: string) => minute.slice(5),
): string => {
  const [start, end] = [start_time.slice(0, 16), end_time.slice(0, 16)];
  return `${dated(start)} 至 ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : dated(end)}`;
};
