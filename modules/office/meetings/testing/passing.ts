import { sql } from 'drizzle-orm';
import { passTime } from '../held/clock.ts';
import type { openMeetings } from './house.ts';

/** Moves a house's meetings in time and runs its clock. */
export function timesOf({ office }: Awaited<ReturnType<typeof openMeetings>>) {
  const { databases } = office.services;
  return {
    /** Moves a meeting with its booking, so that it begins in the given number of minutes. */
    begin: (id: number, minutes: number, length = 60) =>
      databases.write(async (tx) => {
        const start = sql`now() + make_interval(mins => ${minutes})`;
        const end = sql`now() + make_interval(mins => ${minutes + length})`;
        await tx.execute(
          sql`update booking set start_time = ${start}, end_time = ${end}, free_at = ${end} where module = 'meetings' and record_id = ${id}`,
        );
        await tx.execute(sql`update meet set start_time = ${start}, end_time = ${end} where id = ${id}`);
      }),
    /** Runs the timed work as of the given number of minutes from now. */
    pass: (minutes = 0) => passTime(databases, new Date(Date.now() + minutes * 60_000)),
  };
}
