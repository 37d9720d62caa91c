import { dayAfter, weekdayOf } from '#kernel/contract/moment.ts';

/** `rooms`: a day with a column for each resource; `line`: a day with a line for each resource. */
export type CalendarView = 'month' | 'week' | 'day' | 'list' | 'rooms' | 'line';

export const viewNames: Readonly<Record<CalendarView, string>> = {
  month: '月',
  week: '周',
  day: '日',
  list: '列表',
  rooms: '资源',
  line: '时间轴',
};

const text = (date: Date) => date.toISOString().slice(0, 10);
/** Days since Monday. */
const sinceMonday = (day: string) => weekdayOf(day) - 1;
const isWeekLong = (view: CalendarView) => view === 'week' || view === 'list';

/** The first and last day of a view; whole weeks from Monday if it shows weeks. */
export function rangeOf(view: CalendarView, day: string): { from: string; to: string } {
  if (isWeekLong(view)) {
    const from = dayAfter(day, -sinceMonday(day));
    return { from, to: dayAfter(from, 6) };
  }
  if (view !== 'month') return { from: day, to: day };
  const first = `${day.slice(0, 7)}-01`;
  const last = dayAfter(stepped('month', first, 1), -1);
  return { from: dayAfter(first, -sinceMonday(first)), to: dayAfter(last, 6 - sinceMonday(last)) };
}

/** The next day to show in a view, or (-1) the previous. */
export function stepped(view: CalendarView, day: string, steps: 1 | -1): string {
  if (view !== 'month') return dayAfter(day, steps * (isWeekLong(view) ? 7 : 1));
  const [year, month] = day.split('-').map(Number) as [number, number];
  return text(new Date(Date.UTC(year, month - 1 + steps, 1)));
}

export const weekdays = '一二三四五六日';
const words = (day: string) => day.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, '$1年$2月$3日');

/** The title of a view: `2026年12月`, `2026年11月30日–12月6日`, `2026年12月1日 星期二`. */
export function titleOf(view: CalendarView, day: string): string {
  if (view === 'month') return words(day).replace(/\d+日$/, '');
  if (!isWeekLong(view)) return `${words(day)} 星期${weekdays[weekdayOf(day) - 1]}`;
  const { from, to } = rangeOf(view, day);
  return `${words(from)}–${from.slice(0, 4) === to.slice(0, 4) ? words(to).slice(5) : words(to)}`;
}
