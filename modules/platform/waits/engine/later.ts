import { dayAfter, dayOf, momentOf, mondayOf, weekdayOf } from '#kernel/contract/moment.ts';

/** Working days, and the periods of a working day in order, in minutes since midnight. */
interface Calendar {
  works(day: string): boolean;
  hours: readonly { from: number }[];
}

/** A time until which something may be put off. */
export interface LaterTime {
  label: string;
  /** `YYYY-MM-DD HH:mm` */
  at: string;
}

const noon = 12 * 60;
/** No organisation rests for longer. */
const mostDays = 60;
const weekdays = ['一', '二', '三', '四', '五', '六', '日'];

const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The first working day from a day on. */
function workedFrom(day: string, calendar: Calendar): string | undefined {
  for (let after = 0; after < mostDays; after++) if (calendar.works(dayAfter(day, after))) return dayAfter(day, after);
  return undefined;
}

/** The next beginnings of work: this afternoon, the next morning, next week. Equal ones are offered once. */
export function laterTimes(now: Date, calendar: Calendar): LaterTime[] {
  const today = dayOf(now);
  const from = calendar.hours[0]?.from ?? 9 * 60;
  const [morning, half] = [timeOf(from), from < noon ? '上午' : '下午'];
  const afternoon = calendar.hours.find(({ from }) => from >= noon);
  const times: LaterTime[] = [];
  if (afternoon && calendar.works(today)) times.push({ label: '今天下午', at: `${today} ${timeOf(afternoon.from)}` });
  const tomorrow = dayAfter(today, 1);
  const next = workedFrom(tomorrow, calendar);
  const monday = dayAfter(mondayOf(today), 7);
  const week = workedFrom(monday, calendar);
  if (next && next !== week)
    times.push({ label: `${next === tomorrow ? '明天' : dayText(next)}${half}`, at: `${next} ${morning}` });
  if (week)
    times.push({
      label: week < dayAfter(monday, 7) ? `下周${dayName(week)}` : dayText(week),
      at: `${week} ${morning}`,
    });
  return times.filter(({ at }) => momentOf(at) > now);
}

const dayName = (day: string) => weekdays[weekdayOf(day) - 1]!;
const dayText = (day: string) => `${Number(day.slice(5, 7))} 月 ${Number(day.slice(8))} 日（周${dayName(day)}）`;
