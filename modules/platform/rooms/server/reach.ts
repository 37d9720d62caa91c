import { sql } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { notOfOffice } from '../contract/refusals.ts';
import { doorDays } from '../contract/waiting.ts';
import type { Room } from '../service.ts';
import { doorTable } from '../tables.ts';

interface Office {
  name: string;
  dept_id: number | null;
  managers: readonly number[];
}

/**
 * True if somebody's code reaches an office: by their scope over its department, or as its keeper. An office without a department belongs to the
 * whole organisation.
 */
export function reaches(user: Viewer, code: PermissionCode, page: string, { dept_id, managers }: Office): boolean {
  if (!holds(user, code, page)) return false;
  const { all, depts } = scopeOf(user, code, page);
  return all || managers.includes(user.id) || (dept_id !== null && depts.has(dept_id));
}
/** The same for a room; its own keepers reach it, too. */
export const reachesRoom = (user: Viewer, code: PermissionCode, { office, managers }: Room): boolean =>
  reaches(user, code, 'meet/room', { ...office, managers: [...managers, ...office.managers] });

export function requireReached(user: Viewer, code: PermissionCode, page: string, office: Office): void {
  if (!reaches(user, code, page, office)) throw notOfOffice(office.name);
}
export function requireRoomReached(user: Viewer, code: PermissionCode, room: Room): void {
  if (!reachesRoom(user, code, room)) throw notOfOffice(room.office.name);
}

/** True if the address of a door screen is still valid. */
export const isOpenDoor = sql<boolean>`coalesce(${doorTable.last_seen}, ${doorTable.gmt_created}) > now() - make_interval(days => ${doorDays})`;
