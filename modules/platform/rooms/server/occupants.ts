import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Booking } from '#modules/platform/bookings/service.ts';

/** What people may know of what is in a room, and the page that shows it to them. */
export interface Described {
  /** Null where nobody may know more than that there is something, and where its page is. */
  title: string | null;
  mine: boolean;
  path?: string;
  /** The version with which it may be moved, where it may. */
  movable?: number | null;
}
/** A module whose records take rooms. */
export interface Occupant {
  /** What may be known of those; absent: 已占用. No viewer: a stranger before a door, who scans the way to the page of what takes place. */
  described(tx: Db, viewer: Viewer | null, ids: readonly number[]): Promise<Map<number, Described>>;
  /** Moves, cancels or lets fall what stands in the way, and no more, for the room is closed. Absent: it cannot be. */
  displace?(rows: readonly Booking[], reason: string, context: Context & { user: Viewer }): Promise<void>;
}
export type Occupants = Readonly<Record<string, Occupant>>;

/** What a person may know of what is in rooms. */
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
    /** Its records that take rooms, and what may be known of them. */
    occupants?: Occupants;
  }
}
