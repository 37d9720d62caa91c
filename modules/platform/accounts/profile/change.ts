import { and, desc, eq, sql } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Attempts, Limit } from '#kernel/server/access/attempts.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { pinyinOf } from '#kernel/server/list/pinyin.ts';
import { attach, detach } from '#modules/platform/files/service.ts';
import { notifyOfPhone } from '#modules/platform/messages/service/account-news.ts';
import { indexPerson } from '#modules/platform/people/service/words.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { phoneTaken, weakPassword, wrongOldPassword, type accounts } from '../contract.ts';
import { hashPassword, passwordFits, passwordFlaw } from '../sign-in/password.ts';
import { personRow } from './profile.ts';
import { keepOnly, type SessionOf } from '../sign-in/sessions.ts';
import { passwordHistoryTable } from '../tables.ts';

const ownPassword: Limit = { kind: 'own-password', limit: 5, seconds: 900 };
const keptPasswords = 24;

/** Checks the password of a signed-in person: an unattended screen must not be enough. Counted, and outside the transaction. */
export async function proveOwner(
  { attempts }: { attempts: Attempts },
  read: Db,
  user: Viewer,
  password: string,
  refuse: () => Error,
): Promise<void> {
  const tries = await attempts.hit(ownPassword, String(user.id));
  if (tries.exceeded) throw tooMany('密码输入', tries.retryAfter);
  const row = await personRow(read, user.id);
  if (!(await passwordFits(row.user.password, password))) throw refuse();
  await attempts.forget(ownPassword.kind, String(user.id));
}

/** Checks the old password, then prepares the new one. Returns the new hash. */
export async function prepareNewPassword(
  parts: { attempts: Attempts; settings: Settings },
  read: Db,
  user: Viewer,
  body: BodyOf<typeof accounts.changePassword>,
): Promise<string> {
  await proveOwner(parts, read, user, body.old_password, wrongOldPassword);
  return hashAllowed(parts, read, user.id, body.new_password);
}

/** The slow parts of checking a new password: the rules, and earlier passwords. Returns its hash, or refuses it. */
export async function hashAllowed(
  { settings }: { settings: Settings },
  read: Db,
  userId: number,
  wanted: string,
): Promise<string> {
  const rules = await settings.get('login');
  const site = await settings.get('site');
  const row = await personRow(read, userId);
  const { username, alias, phone, company } = row.user;
  // A short reading occurs in many words.
  const typed = pinyinOf(alias).filter((reading) => reading.length >= 5);
  const own = [username, alias, ...typed, phone ?? '', company, site.name, 'gongdan'];
  const flaw = passwordFlaw(wanted, rules, own);
  if (flaw) throw weakPassword(flaw);
  const used = await read
    .select({ password: passwordHistoryTable.password })
    .from(passwordHistoryTable)
    .where(eq(passwordHistoryTable.user_id, userId))
    .orderBy(desc(passwordHistoryTable.id))
    .limit(rules.pwd_history);
  for (const kept of [row.user.password, ...used.map((one) => one.password)])
    if (await passwordFits(kept, wanted)) throw weakPassword(`不能与当前或最近 ${rules.pwd_history} 次用过的密码相同`);
  return hashPassword(wanted);
}

/** Stores the new hash; every session of the person ends, except the calling one, if any. */
export async function putPassword(tx: Db, user: SessionOf, hashed: string): Promise<void> {
  const row = await personRow(tx, user.id);
  await tx.insert(passwordHistoryTable).values({ user_id: user.id, password: row.user.password });
  await tx.execute(sql`
    delete from password_history where user_id = ${user.id} and id not in (
      select id from password_history where user_id = ${user.id} order by id desc limit ${keptPasswords})`);
  await tx
    .update(userTable)
    .set({ password: hashed, must_change_pwd: false, password_changed_at: sql`now()` })
    .where(eq(userTable.id, user.id));
  await keepOnly(tx, user);
}

/** Stores a confirmed number and notifies the person. */
export async function putPhone(tx: Db, user: Viewer, phone: string): Promise<void> {
  await tx
    .update(userTable)
    .set({
      phone,
      version: sql`${userTable.version} + 1`,
      gmt_modified: sql`now()`,
    })
    .where(and(eq(userTable.id, user.id), eq(userTable.is_deleted, false)))
    .catch(refuseOn('app_user_phone_unique', () => phoneTaken(phone)));
  await indexPerson(tx, user.id);
  await notifyOfPhone(tx, user.id, phone);
}

/** Changes the profile fields that people maintain themselves; missing fields stay. A replaced picture is deleted. */
export async function putProfile(
  tx: Db,
  user: Viewer,
  body: BodyOf<typeof accounts.changeInfo>,
  pictureBefore: number | null,
): Promise<void> {
  const owner = { module: 'people', recordId: user.id };
  if (body.avatar) await attach(tx, { fileId: body.avatar, ...owner, user });
  if (body.avatar !== undefined && pictureBefore !== null && body.avatar !== pictureBefore)
    await detach(tx, { fileId: pictureBefore, ...owner });
  await tx
    .update(userTable)
    .set({
      email: body.email,
      gender: body.gender,
      office_phone: body.office_phone,
      office_room: body.office_room,
      avatar_id: body.avatar,
      version: sql`${userTable.version} + 1`,
      gmt_modified: sql`now()`,
    })
    .where(eq(userTable.id, user.id));
  await indexPerson(tx, user.id);
}
