import { parseCronItem, parseCronItems, type ParsedCronItem, type TimestampDigest } from 'graphile-worker';

/** A task that is due again and again. Each due time is queued once, whichever nodes are up. */
export interface Schedule {
  task: string;
  /** Minute, hour, day of the month, month and weekday, in Asia/Shanghai: `30 7 * * 1-5`. */
  cron: string;
  /** Due times missed while no node was up are made up for within so many hours, those that still wait as one; 24 unless told. */
  catchUpHours?: number;
}

const hour = 3_600_000;

/** `known`: tasks of which a node has kept the time before. Of others nothing was missed, and the library would look for it minute by minute. */
export function cronItems(schedules: readonly Schedule[], known: ReadonlySet<string>): ParsedCronItem[] {
  return parseCronItems(
    schedules.map(({ task, cron, catchUpHours = 24 }) => {
      const { match } = parseCronItem({ task, match: cron });
      return {
        task,
        identifier: task,
        match: (utc: TimestampDigest) => match(inShanghai(utc)),
        options: { backfillPeriod: known.has(task) ? catchUpHours * hour : 0, jobKey: `schedule:${task}` },
      };
    }),
  );
}

/** The library thinks in UTC and tells no year; Shanghai is eight hours ahead all year round. */
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
