import { and, between, eq, gt, sql } from 'drizzle-orm';
import { dayAfter, dayOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { occupationsOf } from '#modules/platform/bookings/service.ts';
import { calendarOf, type Calendar } from '#modules/platform/calendars/service.ts';
import type { LineRow } from '../application/lines.ts';
import type { Slot } from '../contract/applications.ts';
import { partHours } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import { slotGone } from '../contract/refusals.ts';
import { loanTable, slotTable } from '../tables/application.ts';
import type { OfficeHours } from '../tables/seals.ts';

/** The fields of a seal that decide about its slots. */
export interface Seal {
  id: number;
  name: string;
  office_hours: OfficeHours;
  slot_capacity: number;
}
export const sealOf = (line: LineRow): Seal => ({
  id: line.stamp_id,
  name: line.stamp_name,
  office_hours: line.office_hours,
  slot_capacity: line.capacity,
});
export interface Place {
  day: string;
  part: number;
}

export const halfDay = ({ day, part }: Place) => {
  const [from, to] = partHours[part as 1];
  return { from: `${day} ${from}:00`, to: `${day} ${to}:00` };
};
const hoursOf = (seal: Seal, part: number) => seal.office_hours[part as 1];
/** The hours of a seal without the night of the rules, in which sealing needs a reason; null if nothing is left. */
function hoursByDay(seal: Seal, part: number, night: string): readonly [string, string] | null {
  const hours = hoursOf(seal, part);
  if (!hours) return null;
  const [dusk, dawn] = night.split('–') as [string, string];
  let [from, to] = hours;
  if (dusk > dawn || within(night, from)) from = from > dawn ? from : dawn;
  if (dusk > dawn || within(night, to)) to = to < dusk ? to : dusk;
  return from < to ? [from, to] : null;
}
const full = '已约满';

interface Known {
  calendar: Calendar;
  taken: ReadonlyMap<string, number>;
  out: readonly { from: string; to: string }[];
  now: string;
  last: string;
  night: string;
}
const leftIn = (seal: Seal, { day, part }: Place, known: Known) =>
  seal.slot_capacity - (known.taken.get(`${day}:${part}`) ?? 0);

/** The reason why a seal is not available in a half-day; empty if it is. */
function whyNot(seal: Seal, place: Place, known: Known): string {
  const { from, to } = halfDay(place);
  const hours = hoursByDay(seal, place.part, known.night);
  if (hours && `${place.day} ${hours[1]}:00` <= known.now) return '已过';
  if (place.day > known.last) return `还不能预约，最远可约到 ${known.last}`;
  if (!hours) return '不办理用印';
  if (!known.calendar.works(place.day)) return '不是工作日';
  if (known.out.some((one) => one.from < to && from < one.to)) return '印章外带';
  return leftIn(seal, place, known) > 0 ? '' : full;
}

async function knownOf(tx: Db, seal: Seal, from: string, to: string, now: Date): Promise<Known> {
  const rows = await tx
    .select()
    .from(slotTable)
    .where(and(eq(slotTable.stamp_id, seal.id), between(slotTable.day, from, to), gt(slotTable.taken, 0)));
  const booked = await occupationsOf(tx, 'stamp', [seal.id], { from: `${from} 00:00:00`, to: `${to} 23:59:59` });
  const [loan] = await tx
    .select({ from: loanTable.out_at, to: loanTable.due_at })
    .from(loanTable)
    .where(and(eq(loanTable.stamp_id, seal.id), sql`${loanTable.returned_at} is null`));
  const { slot_ahead_days, night } = (await readRules(tx, stampRules)).value;
  return {
    calendar: await calendarOf(tx),
    taken: new Map(rows.map((row) => [`${row.day}:${row.part}`, row.taken])),
    out: [...booked.map((one) => ({ from: one.start_time, to: one.free_at })), ...(loan ? [loan] : [])],
    now: momentText(now),
    last: dayAfter(dayOf(now), slot_ahead_days),
    night,
  };
}

/** The half-days of a seal with their free slots. */
export async function slotsOf(tx: Db, seal: Seal, from: string, to: string, now: Date): Promise<Slot[]> {
  const known = await knownOf(tx, seal, from, to, now);
  const slots: Slot[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1))
    for (const part of [1, 2]) {
      const why = whyNot(seal, { day, part }, known);
      slots.push({ day, part, left: why ? 0 : leftIn(seal, { day, part }, known), why });
    }
  return slots;
}

/** The next half-days in which a seal is available, within the validity of the application. */
async function nextFree(tx: Db, seal: Seal, now: Date, from: string, due: string | null): Promise<Place[]> {
  const start = from < dayOf(now) ? dayOf(now) : from;
  const last = dayAfter(start, 30);
  const slots = await slotsOf(tx, seal, start, due !== null && due < last ? due : last, now);
  return slots.filter((slot) => slot.left > 0).slice(0, 3);
}

/** Takes a slot, or refuses with the reason and the next free ones. Takes a lock shared with the booking of loans. */
export async function takeSlot(
  tx: Db,
  seal: Seal,
  place: Place,
  { now, due }: { now: Date; due: string | null },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`booking:stamp:${seal.id}`}, 0))`);
  const { day, part } = place;
  const refuse = async (why: string) => slotGone(seal.name, place, why, await nextFree(tx, seal, now, day, due));
  const why = whyNot(seal, place, await knownOf(tx, seal, day, day, now));
  if (why) throw await refuse(why);
  await tx
    .insert(slotTable)
    .values({ stamp_id: seal.id, day, part, capacity: seal.slot_capacity })
    .onConflictDoUpdate({
      target: [slotTable.stamp_id, slotTable.day, slotTable.part],
      set: { capacity: sql`greatest(${slotTable.taken}, ${seal.slot_capacity})` },
    });
  const taken = await tx
    .update(slotTable)
    .set({ taken: sql`${slotTable.taken} + 1` })
    .where(and(isSlot(seal.id, place), sql`${slotTable.taken} < ${slotTable.capacity}`))
    .returning({ taken: slotTable.taken });
  if (taken.length === 0) throw await refuse(full);
}
const isSlot = (stampId: number, { day, part }: Place) =>
  and(eq(slotTable.stamp_id, stampId), eq(slotTable.day, day), eq(slotTable.part, part));

export const leaveSlot = (tx: Db, stampId: number, place: Place) =>
  tx
    .update(slotTable)
    .set({ taken: sql`${slotTable.taken} - 1` })
    .where(isSlot(stampId, place));

/** True if a moment lies outside the hours of a seal, or in the night of the rules. */
export async function outsideHours(tx: Db, seal: Seal, now: Date): Promise<boolean> {
  const time = momentText(now).slice(11, 16);
  const { night } = (await readRules(tx, stampRules)).value;
  const open = [1, 2].some((part) => {
    const hours = hoursOf(seal, part);
    return hours !== null && hours[0] <= time && time <= hours[1];
  });
  return !open || within(night, time) || !(await calendarOf(tx)).works(dayOf(now));
}
/** True if a time lies in a period that may cross midnight: 18:00–08:00. */
function within(period: string, time: string): boolean {
  const [from, to] = period.split('–') as [string, string];
  return from <= to ? from <= time && time < to : time >= from || time < to;
}
