import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { notify } from '#kernel/server/live/bus.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context, Origin } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { endSessionsOf } from '#modules/platform/people/service/rights.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { LoginValue } from '#modules/platform/settings/service.ts';
import type { SecondStep } from '../contract/second.ts';
import { keepDevice, knowDevice } from './known-devices.ts';
import type { SignInWay } from '../contract/online.ts';
import { sessionTable } from '../tables.ts';

/** A person and the calling session; 0 without one. */
export type SessionOf = Pick<Viewer, 'id' | 'sessionId'>;

/** Minutes within which the second step must be completed. */
const minutesForSecond = 10;
const live = and(isNull(sessionTable.ended_at), gt(sessionTable.expires_at, sql`now()`));

/** Opens a session for a number of hours; with `alone` all others of the person end. Returns its id. */
export async function openSession(
  tx: Db,
  person: { id: number; session_version: number },
  origin: Origin,
  rules: { hours: number; alone: boolean; way: SignInWay; device: string | null; owed: SecondStep | null },
): Promise<number> {
  if (rules.alone && !rules.owed) await endOthers(tx, person.id, 0);
  const [session] = await tx
    .insert(sessionTable)
    .values({
      user_id: person.id,
      session_version: person.session_version,
      way: rules.way,
      device: rules.device,
      second_step: rules.owed,
      ip: origin.ip,
      ua: origin.userAgent,
      expires_at: rules.owed
        ? sql`now() + make_interval(mins => ${minutesForSecond})`
        : sql`now() + make_interval(hours => ${rules.hours})`,
    })
    .returning({ id: sessionTable.id });
  await tx
    .update(userTable)
    .set({ last_login: sql`now()` })
    .where(eq(userTable.id, person.id));
  return session!.id;
}

/** Completes the second step of a session, which is then like any other. */
export async function completeSession(
  tx: Db,
  user: Viewer,
  { cookies }: Pick<Context, 'cookies'>,
  login: LoginValue,
): Promise<void> {
  const [person] = await tx
    .select({ id: userTable.id, session_version: userTable.session_version })
    .from(userTable)
    .where(eq(userTable.id, user.id));
  if (login.single_session) await endOthers(tx, user.id, user.sessionId);
  await tx
    .update(sessionTable)
    .set({
      second_step: null,
      device: await knowDevice(tx, person!, cookies),
      expires_at: sql`now() + make_interval(hours => ${login.session_hours})`,
    })
    .where(eq(sessionTable.id, user.sessionId));
  await notify(tx, 'session', String(user.sessionId));
}

/** Ends one session of a person. Refuses if there is no such live one. */
export async function endSession(tx: Db, userId: number, sessionId: number): Promise<void> {
  const ended = await tx
    .update(sessionTable)
    .set({ ended_at: sql`now()` })
    .where(and(eq(sessionTable.id, sessionId), eq(sessionTable.user_id, userId), live))
    .returning({ id: sessionTable.id });
  if (ended.length === 0) throw absent('该设备的登录');
  await notify(tx, 'session', String(sessionId));
}

/** Ends all sessions of a person but one, or only those opened in one way. */
export async function endOthers(tx: Db, userId: number, keep: number, way?: SignInWay): Promise<void> {
  const ended = await tx
    .update(sessionTable)
    .set({ ended_at: sql`now()` })
    .where(
      and(
        eq(sessionTable.user_id, userId),
        ne(sessionTable.id, keep),
        way === undefined ? undefined : eq(sessionTable.way, way),
        live,
      ),
    )
    .returning({ id: sessionTable.id });
  for (const { id } of ended) await notify(tx, 'session', String(id));
}

/** After a change of password: ends all sessions except the calling one. */
export async function keepOnly(tx: Db, user: SessionOf): Promise<void> {
  await endOthers(tx, user.id, user.sessionId);
  await endSessionsOf(tx, user.id);
  await tx
    .update(sessionTable)
    .set({ session_version: sql`(select session_version from app_user where id = ${user.id})` })
    .where(eq(sessionTable.id, user.sessionId));
  await keepDevice(tx, user);
}

const portion = 1000;

/** Removes one portion of sessions that were over a day ago; returns true if more may wait. */
export async function purgeSessions(tx: Db): Promise<boolean> {
  const over = tx
    .select({ id: sessionTable.id })
    .from(sessionTable)
    .where(lt(sessionTable.expires_at, sql`now() - interval '1 day'`))
    .limit(portion)
    .for('update', { skipLocked: true });
  const gone = await tx.delete(sessionTable).where(inArray(sessionTable.id, over)).returning({ id: sessionTable.id });
  return gone.length === portion;
}

/** Those of the sessions that are still valid. */
export async function sessionsAlive(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .select({ id: sessionTable.id })
    .from(sessionTable)
    .innerJoin(
      userTable,
      and(eq(userTable.id, sessionTable.user_id), eq(userTable.session_version, sessionTable.session_version)),
    )
    .where(
      and(inArray(sessionTable.id, [...ids]), live, eq(userTable.is_active, true), eq(userTable.is_deleted, false)),
    );
  return new Set(rows.map((row) => row.id));
}

/** A person's sessions, the last used first. */
export async function sessionsOf(tx: Db, user: Viewer) {
  const rows = await tx
    .select({
      id: sessionTable.id,
      ip: sessionTable.ip,
      ua: sessionTable.ua,
      gmt_created: sessionTable.gmt_created,
      last_seen: sessionTable.last_seen,
    })
    .from(sessionTable)
    .innerJoin(
      userTable,
      and(eq(userTable.id, sessionTable.user_id), eq(userTable.session_version, sessionTable.session_version)),
    )
    .where(and(eq(sessionTable.user_id, user.id), live))
    .orderBy(desc(sessionTable.last_seen), desc(sessionTable.id))
    .limit(100);
  return rows.map((row) => ({ ...row, current: row.id === user.sessionId }));
}
