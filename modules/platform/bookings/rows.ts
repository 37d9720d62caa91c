// The shape of bookings, shared by the files here.
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { bookingTable, type BookingState } from './tables.ts';

/** The record a booking belongs to. `slot` distinguishes several of one record; empty by default. */
export interface Source {
  module: string;
  record_id: number;
  slot?: string;
}
export interface Place {
  resource: string;
  resource_id: number;
}
export interface Wanted extends Place {
  /** `YYYY-MM-DD HH:mm:ss`; the end is exclusive. */
  start_time: string;
  end_time: string;
  /** Minutes kept free after the end. They count once: the next booking begins when they are over. */
  padding?: number;
  /** The latest end of the period including padding: the end of the record's present booking (`keepingOf`). */
  until?: string;
  /** Confirmed by default. */
  state?: BookingState;
}
/** A stored booking. */
export interface Booking extends Required<Source>, Place {
  start_time: string;
  end_time: string;
  free_at: string;
  state: BookingState;
}

export const freeAt = ({ end_time, padding = 0, until }: Wanted): SQL =>
  until === undefined
    ? sql`${end_time}::timestamptz + make_interval(mins => ${padding})`
    : sql`least(${end_time}::timestamptz + make_interval(mins => ${padding}), ${until}::timestamptz)`;
/** A booking that ends no later than before needs no more padding than it had, even if new bookings need more. */
export const keepingOf = <W extends Wanted>(wanted: W, has: Booking | undefined): W =>
  has?.resource === wanted.resource && has.resource_id === wanted.resource_id && wanted.end_time <= has.end_time
    ? { ...wanted, until: has.free_at }
    : wanted;
export const during = (wanted: Wanted): SQL => sql`tstzrange(${wanted.start_time}::timestamptz, ${freeAt(wanted)})`;
export const of = ({ module, record_id }: Source) =>
  and(eq(bookingTable.module, module), eq(bookingTable.record_id, record_id));
export const slotOf = (source: Source) => and(of(source), eq(bookingTable.slot, source.slot ?? ''));
export const row = {
  module: bookingTable.module,
  record_id: bookingTable.record_id,
  slot: bookingTable.slot,
  resource: bookingTable.resource,
  resource_id: bookingTable.resource_id,
  start_time: bookingTable.start_time,
  end_time: bookingTable.end_time,
  free_at: bookingTable.free_at,
  state: bookingTable.state,
};
/** The most clashes reported. */
export const most = 500;
/** The most bookings of a view: every room of a large organisation, booked every half hour of a day. A taken room must never look free. */
export const mostShown = 20_000;
