import { momentText } from '../../contract/moment.ts';
import { parseCronItem, parseCronItems, type ParsedCronItem, type TimestampDigest } from 'graphile-worker';

/** A task that is due repeatedly. Each due time is queued once, whichever nodes are up. */
export interface Schedule {
  task: string;
  /** Minute, hour, day of the month, month and weekday, in Asia/Shanghai: `30 7 * * 1-5`. */
  cron: string;
  /** Due times that were missed while no node was up are made up for within so many hours, all that still wait as one job; 24 unless given. */
  catchUpHours?: number;
}

const hour = 3_600_000;

/** At most one job of a schedule waits. */
export const scheduleKey = (task: string) => `schedule:${task}`;

/** `known` are the tasks whose last time a node recorded. Others missed nothing, but the library would search for missed times minute by minute. */
export function cronItems(schedules: readonly Schedule[], known: ReadonlySet<string>): ParsedCronItem[] {
  return parseCronItems(
    schedules.map(({ task, cron, catchUpHours = 24 }) => {
      const { match } = parseCronItem({ task, match: cron });
      return {
        task,
        identifier: task,
        match: (utc: TimestampDigest) => match(inShanghai(utc)),
        options: { backfillPeriod: known.has(task) ? catchUpHours * hour : 0, jobKey: scheduleKey(task) },
      };
    }),
  );
}

/** The number of minutes that are searched: a month and a day. */
const ahead = 32 * 24 * 60;

/** The next due time of a schedule in Shanghai's time, as the database writes it; null if none is within a month. */
export function nextDue({ task, cron }: Pick<Schedule, 'task' | 'cron'>, from: Date): string | null {
  const { match } = parseCronItem({ task, match: cron });
  const start = Math.floor(from.getTime() / 60_000) + 1;
  for (let minute = start; minute < start + ahead; minute += 1) {
    const local = new Date(minute * 60_000 + 8 * hour);
    const digest = {
      min: local.getUTCMinutes(),
      hour: local.getUTCHours(),
      date: local.getUTCDate(),
      month: local.getUTCMonth() + 1,
      dow: local.getUTCDay(),
    };
    if (match(digest)) return momentText(new Date(minute * 60_000));
  }
  return null;
}

/** The library computes in UTC and gives no year; Shanghai is eight hours ahead all year round. */
function inShanghai({ min, hour: utcHour, date, month, dow }: TimestampDigest): TimestampDigest {
  const local = new Date(Date.UTC(new Date().getUTCFullYear(), month - 1, date, utcHour + 8, min));
  return {
    min,
    hour: local.getUTCHours(),
    date: local.getUTCDate(),
    month: local.getUTCMonth() + 1,
    dow: utcHour + 8 >= 24 ? (dow + 1) % 7 : dow,
  };
}
