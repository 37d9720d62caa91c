// Occupations as everything here says them.
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { bookingTable, type BookingState } from './tables.ts';

/** The record an occupation is for. `slot` tells several of one record apart; empty unless set. */
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
  /** `YYYY-MM-DD HH:mm:ss`; the end is no longer part of it. */
  start_time: string;
  end_time: string;
  /** Minutes that it is kept free after the end. They are counted once: the next one begins where they are over. */
  padding?: number;
  /** It asks for no more than this, whatever is added: when what the record has already is free again (`keepingOf`). */
  until?: string;
  /** Confirmed unless set. */
  state?: BookingState;
}
/** An occupation as it stands. */
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
/** What ends no later than it did needs no more than it had, though more is asked of whoever comes anew. */
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
/** Most that are told of as being in the way. */
export const most = 500;
/** Most of a view: every room of a large house, taken every half hour for a day. What is taken must never look free. */
export const mostShown = 20_000;
