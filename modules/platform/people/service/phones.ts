import { and, asc, inArray, sql } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { usersWithin } from '../server/depts/reach.ts';
import { working } from '../service.ts';
import { userTable } from '../tables.ts';

export interface Contact {
  id: number;
  alias: string;
  phone: string | null;
  /** Empty if there is none. */
  email: string;
}

/** Contact details of people for external messages; those who left are left out. */
export function contactsOf(tx: Db, ids: readonly number[]): Promise<Contact[]> {
  return tx
    .select({ id: userTable.id, alias: userTable.alias, phone: userTable.phone, email: userTable.email })
    .from(userTable)
    .where(and(working, inArray(userTable.id, [...ids])));
}

export interface PersonToText {
  id: number;
  alias: string;
  phone: string | null;
  /** True if the code on the page reaches the person. */
  reached: boolean;
}

/** Numbers of current staff, for sending and never for showing; those beyond the viewer's reach have none. */
export async function phonesFor(
  tx: Db,
  viewer: Viewer,
  code: PermissionCode,
  page: string,
  ids: readonly number[],
): Promise<PersonToText[]> {
  if (ids.length === 0) return [];
  const reached = sql<boolean>`${usersWithin(viewer, code, page)}`;
  return tx
    .select({
      id: userTable.id,
      alias: userTable.alias,
      phone: sql<string | null>`case when ${reached} then ${userTable.phone} end`,
      reached,
    })
    .from(userTable)
    .where(and(working, sql`${userTable.id} = any(${sql.param([...new Set(ids)])}::int[])`))
    .orderBy(asc(userTable.sort), asc(userTable.id));
}

/** Numbers of current staff for the system's own messages. */
export function phonesOf(
  tx: Db,
  ids: readonly number[],
): Promise<{ id: number; alias: string; phone: string | null }[]> {
  return tx
    .select({ id: userTable.id, alias: userTable.alias, phone: userTable.phone })
    .from(userTable)
    .where(and(working, sql`${userTable.id} = any(${sql.param([...new Set(ids)])}::int[])`));
}
