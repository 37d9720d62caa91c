import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { confirm, settle } from '#modules/platform/bookings/service.ts';
import { usageType } from '../contract/codes.ts';
import { sealAway, slotInLoan, timeGone } from '../contract/refusals.ts';
import { halfDay, leaveSlot, sealOf, takeSlot } from '../slots/slots.ts';
import { setLines, type LineRow } from './lines.ts';
import type { Stored } from './record.ts';

/** The owner of a line's reservation in `booking`. */
export const bookingOf = (line: { id: number }) => ({ module: 'stamps', record_id: line.id });

/** Reserves the requested time: a slot in each seal's hours, or the whole time of a loan. Takes seals in a fixed order. */
export async function reserve(tx: Db, row: Stored, lines: readonly LineRow[], now: Date): Promise<void> {
  for (const line of lines.toSorted((a, b) => a.stamp_id - b.stamp_id)) {
    if (row.use_type === usageType.out) await bookLoan(tx, row, line, now);
    else if (line.day !== null && line.part !== null) {
      const place = { day: line.day, part: line.part };
      if (line.due_at && line.returned_at === null && halfDay(place).from < line.due_at)
        throw sealAway(line.stamp_name, `外借到 ${line.due_at.slice(0, 16)}`);
      await takeSlot(tx, sealOf(line), place, { now, due: row.due_day });
    } else continue;
    await setLines(tx, [line.id], { reserved: true });
  }
}

async function bookLoan(tx: Db, { borrow_start, borrow_end }: Stored, line: LineRow, now: Date): Promise<void> {
  const wanted = { resource: 'stamp', resource_id: line.stamp_id, start_time: borrow_start!, end_time: borrow_end! };
  const refuse = refuseOn('stamp_loan_over_slot', () => slotInLoan(line.stamp_name));
  await settle(tx, bookingOf(line), { ...wanted, state: 'held' }, { name: line.stamp_name, now }).catch(refuse);
}

/** Confirms the reservations on approval. */
export async function confirmReserved(tx: Db, row: Stored, lines: readonly LineRow[]): Promise<void> {
  if (row.use_type !== usageType.out) return;
  for (const line of lines) if (!(await confirm(tx, bookingOf(line)))) throw timeGone(line.stamp_name);
}

/** Frees the reservations of lines. */
export async function unreserve(tx: Db, lines: readonly LineRow[]): Promise<void> {
  for (const line of lines.filter((one) => one.reserved).toSorted((a, b) => a.stamp_id - b.stamp_id)) {
    if (line.day !== null && line.part !== null) await leaveSlot(tx, line.stamp_id, { day: line.day, part: line.part });
    await settle(tx, bookingOf(line), null);
    await setLines(tx, [line.id], { reserved: false });
  }
}
