import { dayAfter, weekdayOf } from '#kernel/contract/moment.ts';

export const scheduleTypes = { 1: '领导日程', 3: '外出报备' } as const;
export const trip = 3;
export const attendTypes = {
  1: '主持',
  2: '出席',
  3: '讲话',
  4: '调研',
  5: '会见',
  6: '出差',
  7: '学习',
  9: '其他',
} as const;
export const visibilities = { 1: '全员', 2: '领导与办公室', 3: '仅本人与秘书' } as const;
export const runStatuses = { 0: '未开始', 1: '进行中', 2: '已完成', 3: '已取消' } as const;
export const replies = { 0: '待答复', 1: '参加', 2: '不参加', 3: '改派' } as const;
export const needs = { car: '用车', material: '材料', speech: '讲话稿', photo: '摄影', press: '新闻报道' } as const;
export const halves = { am: '上午', pm: '下午', night: '晚上' } as const;
export type Half = keyof typeof halves;
/** What is said of a schedule to whoever may know no more than that there is one. */
export const busyWord = '忙';

export const nameOf = (names: Readonly<Record<number, string>>, code: number): string => names[code] ?? '';
export const choicesOf = (names: Readonly<Record<string | number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
interface Timed {
  start_time: string;
  end_time: string;
  all_day: boolean;
}
const dayLength = 86_400_000;
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayLength;
/** The Monday of a day's week. */
export const mondayOf = (day: string): string => dayAfter(day, 1 - weekdayOf(day));

/** When it is, as people say it: `11-23 14:00–15:30`, `11-23 全天`, `11-23 09:00 至 11-25 12:00`. */
export function timeText({ start_time: start, end_time: end, all_day }: Timed): string {
  const last = dayAfter(end.slice(0, 10), end.slice(11, 16) === '00:00' ? -1 : 0);
  const first = start.slice(0, 10);
  if (all_day) return first === last ? `${first.slice(5)} 全天` : `${first.slice(5)} 至 ${last.slice(5)} 全天`;
  const until = end.slice(11, 16) === '00:00' ? '24:00' : end.slice(11, 16);
  return first === last
    ? `${first.slice(5)} ${start.slice(11, 16)}–${until}`
    : `${first.slice(5)} ${start.slice(11, 16)} 至 ${last.slice(5)} ${until}`;
}
