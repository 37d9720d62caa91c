import { sql } from 'drizzle-orm';
import { passTime } from '../held/clock.ts';
import type { openMeetings } from './house.ts';

/** Meetings of a house are moved about in time, and its clock is turned. */
export function timesOf({ office }: Awaited<ReturnType<typeof openMeetings>>) {
  const { databases } = office.services;
  return {
    /** Lets a meeting begin so many minutes from now, with what it has of rooms. */
    begin: (id: number, minutes: number, length = 60) =>
      databases.write(async (tx) => {
        const start = sql`now() + make_interval(mins => ${minutes})`;
        const end = sql`now() + make_interval(mins => ${minutes + length})`;
        await tx.execute(
          sql`update booking set start_time = ${start}, end_time = ${end}, free_at = ${end} where module = 'meetings' and record_id = ${id}`,
        );
        await tx.execute(sql`update meet set start_time = ${start}, end_time = ${end} where id = ${id}`);
      }),
    /** Lets the clock do what is due, as it will be so many minutes from now. */
    pass: (minutes = 0) => passTime(databases, new Date(Date.now() + minutes * 60_000)),
  };
}
