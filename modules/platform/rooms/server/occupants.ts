import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Booking } from '#modules/platform/bookings/service.ts';

/** The public information about an occupation, and its page. */
export interface Described {
  /** Null if the viewer may only know that there is something, and its page. */
  title: string | null;
  mine: boolean;
  path?: string;
  /** The version with which it may be moved, if allowed. */
  movable?: number | null;
}
/** A module whose records take rooms. */
export interface Occupant {
  /** Descriptions of records; missing: 已占用. Without a viewer: for a stranger at a door, who scans the way to the event's page. */
  described(tx: Db, viewer: Viewer | null, ids: readonly number[]): Promise<Map<number, Described>>;
  /** Moves or cancels exactly these occupations, because the room is closed. Missing: they cannot be displaced. */
  displace?(rows: readonly Booking[], reason: string, context: Context & { user: Viewer }): Promise<void>;
}
export type Occupants = Readonly<Record<string, Occupant>>;

/** Descriptions of occupations, as far as a person may know. */
export async function titlesOf(
  tx: Db,
  user: Viewer | null,
  rows: readonly Pick<Booking, 'module' | 'record_id'>[],
): Promise<(row: Pick<Booking, 'module' | 'record_id'>) => Described | undefined> {
  const { occupants } = tx.services.product;
  const known = new Map<string, Map<number, Described>>();
  for (const module of new Set(rows.map((row) => row.module))) {
    const ids = rows.filter((row) => row.module === module).map((row) => row.record_id);
    const occupant = Object.hasOwn(occupants, module) ? occupants[module] : undefined;
    if (occupant) known.set(module, await occupant.described(tx, user, [...new Set(ids)]));
  }
  return ({ module, record_id }) => known.get(module)?.get(record_id);
}

declare module '#kernel/server/product.ts' {
  interface Product {
    occupants: Occupants;
  }
  interface ModuleDefinition {
    /** Its records that occupy rooms, with their descriptions. */
    occupants?: Occupants;
  }
}
