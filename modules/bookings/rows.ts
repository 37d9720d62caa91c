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

export const freeAt = ({ end_time, padding = 0 }: Wanted): SQL =>
  sql`${end_time}::timestamptz + make_interval(mins => ${padding})`;
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
/** Most occupations that are told of at once. */
export const most = 500;
