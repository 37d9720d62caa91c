import { randomBytes } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { personNameOf } from '#kernel/contract/words/person-name.ts';
import { userType } from '../contract/codes.ts';
import { userTable } from '../tables.ts';
import { personWords } from './words.ts';

/** The column that matches another system's staff number. */
export type NumberIn = 'username' | 'employ_no';

/**
 * Ids of the people with a staff number: the only active one, if others are disabled; else all of them, up to two. There are several only if numbers
 * were maintained carelessly.
 */
export async function peopleByNumber(tx: Db, number: string, column: NumberIn): Promise<number[]> {
  // People without a number have an empty one, which matches nobody.
  if (!number.trim()) return [];
  const kept = column === 'username' ? userTable.username : userTable.employ_no;
  const rows = await tx
    .select({ id: userTable.id, is_active: userTable.is_active })
    .from(userTable)
    .where(and(eq(kept, number), eq(userTable.is_deleted, false)))
    .orderBy(desc(userTable.is_active))
    .limit(2);
  const only = rows[0]?.is_active && !rows[1]?.is_active;
  return rows.slice(0, only ? 1 : 2).map((row) => row.id);
}

/** True if somebody is current staff and may sign in. */
export async function stillThere(tx: Db, userId: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: userTable.id })
    .from(userTable)
    .where(and(eq(userTable.id, userId), eq(userTable.is_active, true), eq(userTable.is_deleted, false)));
  return row !== undefined;
}

/** True if an account was deleted. */
export async function isDeleted(tx: Db, userId: number): Promise<boolean> {
  return (await tx.$count(userTable, and(eq(userTable.id, userId), eq(userTable.is_deleted, true)))) > 0;
}

/** True for the built-in administrator, whose name everybody knows. */
export async function isBuiltIn(tx: Db, userId: number): Promise<boolean> {
  const [row] = await tx.select({ type_id: userTable.type_id }).from(userTable).where(eq(userTable.id, userId));
  return row?.type_id === userType.superAdmin;
}

/** Ids of the active people with a mobile number. */
export async function peopleByPhone(tx: Db, phone: string): Promise<number[]> {
  const rows = await tx
    .select({ id: userTable.id })
    .from(userTable)
    .where(and(eq(userTable.phone, phone), eq(userTable.is_deleted, false), eq(userTable.is_active, true)))
    .limit(2);
  return rows.map((row) => row.id);
}

/**
 * Adds somebody known only to another system: no department, only everybody's role, no valid password. Throws `refuse()` if the user name is or was
 * taken. Returns the id.
 */
export async function addOutsider(
  tx: Db,
  { number, alias }: { number: string; alias: string },
  refuse: () => Error,
): Promise<number> {
  if (!/^[A-Za-z0-9_.-]{2,50}$/.test(number)) throw refuse();
  const person = { username: number, alias: personNameOf(alias).slice(0, 30), employ_no: number };
  const [row] = await tx
    .insert(userTable)
    .values({ ...person, password: `none:${randomBytes(16).toString('base64url')}`, ...personWords(person) })
    .returning({ id: userTable.id })
    .catch(refuseOn('app_user_username_unique', refuse));
  return row!.id;
}
