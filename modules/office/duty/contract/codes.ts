import { weekdayOf } from '#kernel/contract/moment.ts';

export const dayKinds = { 1: '工作日', 2: '休息日', 3: '节假日' } as const;
export const posts = { 1: '带班领导', 2: '值班员', 3: '备勤' } as const;
/** Under which fields people of a post are named. */
export const postKeys = ['lead', 'staff', 'backup'] as const;
export type PostKey = (typeof postKeys)[number];
/** Of this post nobody has two shifts within a day. */
export const restingPost = 2;
export const shiftStates = { 0: '未发布', 1: '待接班', 2: '值班中', 3: '已交班', 4: '无人接班', 5: '已取消' } as const;
/** Over, and nobody took it over. */
export const missed = 4;
export const cancelled = 5;
export const swapStates = {
  1: '待对方答复',
  2: '待办公室确认',
  3: '已换班',
  4: '不同意',
  5: '已撤回',
  6: '班次变动作废',
} as const;
export const swapActs = { agree: '同意', decline: '不同意', withdraw: '撤回', confirm: '确认' } as const;
export const entryKinds = { 1: '来电', 2: '来访', 3: '巡查', 4: '突发', 9: '其他' } as const;
export const incident = 4;

export const nameOf = (names: Readonly<Record<number, string>>, code: number): string => names[code] ?? '';
const dayLength = 86_400_000;
/** `YYYY-MM-DD` so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayLength).toISOString().slice(0, 10);
export const mondayOf = (day: string): string => dayAfter(day, 1 - weekdayOf(day));
/** `11-23 17:30 至 11-24 08:00` */
export const spanText = ({ start_time, end_time }: { start_time: string; end_time: string }): string =>
  `${start_time.slice(5, 16)} 至 ${end_time.slice(start_time.slice(0, 10) === end_time.slice(0, 10) ? 11 : 5, 16)}`;
