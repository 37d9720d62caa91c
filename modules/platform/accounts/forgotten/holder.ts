import { sql } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { userType } from '#modules/platform/people/contract/codes.ts';
import { firstAdminName } from '#modules/platform/people/seed.ts';
import { indexPerson } from '#modules/platform/people/service/words.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { LoginValue } from '#modules/platform/settings/service.ts';
import { mailTaken } from '../contract/forgotten.ts';
import { claimedBy, type Claimed } from '../sign-in/dearness.ts';
import { confirmedMailTable } from '../tables.ts';

type Holder = Pick<typeof userTable.$inferSelect, 'id' | 'username' | 'alias' | 'password'>;

/**
 * The account whose password may be reset with this number or address; null if none. Excluded are closed accounts, the built-in administrator, and
 * accounts without a password, which sign in by single sign-on alone. `locks` its row.
 */
export async function holderOf(db: Db, target: Claimed, login: LoginValue, locks = false): Promise<Holder | null> {
  const { rows } = await db.execute<Holder & Record<string, unknown>>(sql`
    select u.id, u.username, u.alias, u.password from app_user u
    where ${claimedBy(target)} and u.is_active and not u.is_deleted and u.username <> ${firstAdminName}
      and not starts_with(u.password, 'none:') and (u.type_id = ${inSql(userType.superAdmin)} or not ${login.sso_only}::boolean)
    ${locks ? sql`for update` : sql``}`);
  return rows[0] ?? null;
}

/** Stores a confirmed address. Refuses if another account has confirmed and still has it. */
export async function putConfirmedMail(tx: Db, userId: number, address: string): Promise<void> {
  await tx.execute(sql`
    delete from confirmed_mail m using app_user u
    where m.address = ${address} and u.id = m.user_id and (u.is_deleted or lower(u.email) <> m.address)`);
  await tx
    .insert(confirmedMailTable)
    .values({ user_id: userId, address })
    .onConflictDoUpdate({ target: confirmedMailTable.user_id, set: { address, gmt_created: sql`now()` } })
    .catch(refuseOn('confirmed_mail_address', () => mailTaken(address)));
  await tx.execute(sql`
    update app_user set email = ${address}, version = version + 1, gmt_modified = now() where id = ${userId}`);
  await indexPerson(tx, userId);
}

/** True if the account's present address was confirmed. */
export async function hasConfirmedMail(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from confirmed_mail m join app_user u on u.id = m.user_id
    where m.user_id = ${userId} and m.address = lower(u.email)`);
  return rows.length > 0;
}
