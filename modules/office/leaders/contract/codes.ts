import { codeSet } from '#kernel/contract/codes.ts';
import { dayAfter } from '#kernel/contract/moment.ts';

export const scheduleType = codeSet({ usual: [1, '领导日程'], trip: [3, '外出报备'] });
export const { trip } = scheduleType;
/** The type that other systems send for a meeting; meetings have their own module. */
export const meetingsType = 2;
export const attendType = codeSet({
  hosts: [1, '主持'],
  attends: [2, '出席'],
  speaks: [3, '讲话'],
  inspects: [4, '调研'],
  receives: [5, '会见'],
  travels: [6, '出差'],
  learns: [7, '学习'],
  other: [9, '其他'],
});
export const visibleTo = codeSet({ everybody: [1, '全员'], leaders: [2, '领导与办公室'], own: [3, '仅本人与秘书'] });
export const runStatus = codeSet({
  ahead: [0, '未开始', 'default'],
  running: [1, '进行中', 'processing'],
  over: [2, '已完成', 'success'],
  cancelled: [3, '已取消', 'error'],
});
export const replyState = codeSet({
  none: [0, '待答复'],
  comes: [1, '参加'],
  declines: [2, '不参加'],
  passesOn: [3, '改派'],
});
export const needs = { car: '用车', material: '材料', speech: '讲话稿', photo: '摄影', press: '新闻报道' } as const;
/** Minutes before the start at which people may be reminded; other numbers within the limits come from other systems. */
export const reminders: Readonly<Record<number, string>> = {
  5: '5 分钟前',
  15: '15 分钟前',
  30: '30 分钟前',
  60: '1 小时前',
  120: '2 小时前',
  1440: '一天前',
};
export const leastReminder = 5;
export const mostReminder = 10_080;
export const mostReminders = 5;
export const usualReminders = [60];
/** When people are reminded, in words, the first reminder first. */
export const remindText = (minutes: readonly number[]): string =>
  minutes
    .toSorted((a, b) => b - a)
    .map((one) => reminders[one] ?? `${one} 分钟前`)
    .join('、');
export const halves = { am: '上午', pm: '下午', night: '晚上' } as const;
export type Half = keyof typeof halves;
/** The title of a schedule for viewers who may only know that there is one. */
export const busyWord = '忙';

/** The weeks of a repeat that an act is for. */
export const scopes = { this: '仅这一周', following: '这一周及以后各周' } as const;

export const choicesOf = (names: Readonly<Record<string | number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
interface Timed {
  start_time: string;
  end_time: string;
  all_day: boolean;
}

const withoutYear = (day: string) => day.slice(5);
const lastDay = ({ end_time: end }: Timed) => dayAfter(end.slice(0, 10), end.slice(11, 16) === '00:00' ? -1 : 0);

/** True if it ends on the day on which it begins. */
export const isOfOneDay = (timed: Timed): boolean => timed.start_time.slice(0, 10) === lastDay(timed);

/** The time without the day on which it begins: `14:00–15:30`, `全天`, `09:00 至 11-25 12:00`. */
export function hoursText(timed: Timed, dated = withoutYear): string {
  const { start_time: start, end_time: end, all_day } = timed;
  const one = isOfOneDay(timed);
  const last = dated(lastDay(timed));
  if (all_day) return one ? '全天' : `至 ${last} 全天`;
  const until = end.slice(11, 16) === '00:00' ? '24:00' : end.slice(11, 16);
  return one ? `${start.slice(11, 16)}–${until}` : `${start.slice(11, 16)} 至 ${last} ${until}`;
}

/** The time as people write it: `11-23 14:00–15:30`, `11-23 全天`, `11-23 09:00 至 11-25 12:00`; `dated` writes a day. */
export const timeText = (timed: Timed, dated = withoutYear): string =>
  `${dated(timed.start_time.slice(0, 10))} ${hoursText(timed, dated)}`;
