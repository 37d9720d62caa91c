import { createHash, randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Cookies } from '#kernel/server/http/cookies.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { knownDeviceTable, sessionTable } from '../tables.ts';

const cookie = 'device';
export const deviceDays = 180;

/** The hash of the calling device; null if nobody ever signed in on it. */
export function deviceOf(cookies: Cookies): string | null {
  const token = cookies.get(cookie);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? markOf(token) : null;
}

const markOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** Makes the device known to the account that has just signed in; its browser keeps one token for all accounts. */
export async function knowDevice(
  tx: Db,
  user: { id: number; session_version: number },
  cookies: Cookies,
): Promise<string> {
  const kept = deviceOf(cookies);
  const token = kept === null ? randomBytes(32).toString('base64url') : cookies.get(cookie)!;
  cookies.set(cookie, token, deviceDays * 86_400);
  const mark = kept ?? markOf(token);
  const now = { session_version: user.session_version, last_used: sql`now()` };
  await tx
    .insert(knownDeviceTable)
    .values({ user_id: user.id, mark, session_version: user.session_version })
    .onConflictDoUpdate({ target: [knownDeviceTable.user_id, knownDeviceTable.mark], set: now });
  return mark;
}

/** True if somebody signed in on the calling device before, and it was not forgotten since. */
export async function isKnownDevice(tx: Db, userId: number, cookies: Cookies): Promise<boolean> {
  const mark = deviceOf(cookies);
  if (mark === null) return false;
  const { rows } = await tx.execute(sql`
    select from known_device d join app_user u on u.id = d.user_id
    where d.user_id = ${userId} and d.mark = ${mark} and d.session_version = u.session_version`);
  return rows.length > 0;
}

/** Forgets the device of a session that its person ended from elsewhere. */
export async function forgetDevice(tx: Db, userId: number, sessionId: number): Promise<void> {
  await tx.execute(sql`
    delete from known_device d using session s
    where s.id = ${sessionId} and s.user_id = ${userId} and d.user_id = s.user_id and d.mark = s.device`);
}

/** After a change of password only the device it was made on is still known. */
export async function keepDevice(tx: Db, user: Pick<Viewer, 'id' | 'sessionId'>): Promise<void> {
  const [session] = await tx
    .select({ device: sessionTable.device, version: sessionTable.session_version })
    .from(sessionTable)
    .where(eq(sessionTable.id, user.sessionId));
  if (!session?.device) return;
  await tx
    .update(knownDeviceTable)
    .set({ session_version: session.version })
    .where(and(eq(knownDeviceTable.user_id, user.id), eq(knownDeviceTable.mark, session.device)));
}
