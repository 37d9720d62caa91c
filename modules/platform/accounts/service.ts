import { eq } from 'drizzle-orm';
import { codes, type Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context, Origin } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { LoginValue } from '#modules/platform/settings/service.ts';
import { closedWay, disabled, type LoginReply } from './contract.ts';
import { meetDevice } from './sign-in/devices.ts';
import type { Identity } from './sign-in/identity.ts';
import { owedBy } from './second/owed.ts';
import { deviceOf, knowDevice } from './sign-in/known-devices.ts';
import { signedInAs } from './profile/profile.ts';
import { openSession } from './sign-in/sessions.ts';
import { rememberSignIn, type SignInAt } from './sign-in/sign-in.ts';
import { signInWays, type SignInWay } from './contract/online.ts';
import { sessionTable } from './tables.ts';

export { forgetFactor, forgetSecondFactors } from './second/factor.ts';
export { proveOwner } from './profile/change.ts';
export type { Identity } from './sign-in/identity.ts';
export { createPhoneCodes, type PhoneCodes, type SendCode } from './sign-in/phone-code.ts';
export { preferencesOf } from './profile/preferences.ts';
export { unlock } from './sign-in/dearness.ts';
export { isKnownDevice } from './sign-in/known-devices.ts';
export { endOthers } from './sign-in/sessions.ts';

export interface Door {
  identity: Pick<Identity, 'sign'>;
  login: LoginValue;
}
type Caller = Pick<Context, 'origin' | 'cookies'>;
type UserRow = typeof userTable.$inferSelect;

/** Opens a session for somebody whose identity is proven, notifies them of a new device, and writes the log. */
export async function letIn(
  tx: Db,
  { identity, login }: Door,
  user: UserRow,
  { origin, cookies }: Caller,
  way: SignInWay,
  at?: SignInAt,
): Promise<LoginReply> {
  const owed = await owedBy(tx, user.id, login);
  const device = owed ? deviceOf(cookies) : await knowDevice(tx, user, cookies);
  const rules = { hours: login.session_hours, alone: login.single_session, way, device, owed };
  const sessionId = await openSession(tx, user, origin, rules);
  await meetDevice(tx, user.id, sessionId, origin);
  await rememberSignIn(
    tx,
    origin,
    user,
    codes.ok,
    `${user.alias}（${user.username}）${way === 'sso' || way === 'wechat' ? signInWays[way] : ''}${owed ? '，待二次验证' : ''}`,
    { at, how: signInWays[way] },
  );
  return signedInAs(tx, user.id, identity.sign(user.id, sessionId), { way, owed });
}

/** The same for somebody whom another server identified. Refuses disabled people, and WeChat if only single sign-on is allowed. */
export async function letInVouched(
  tx: Db,
  door: Door,
  userId: number,
  caller: Caller,
  way: 'sso' | 'wechat',
  at: SignInAt,
): Promise<LoginReply> {
  const [user] = await tx.select().from(userTable).where(eq(userTable.id, userId)).for('update');
  if (!user || user.is_deleted || !user.is_active) throw disabled();
  if (way === 'wechat' && door.login.sso_only) throw closedWay('微信');
  return letIn(tx, door, user, caller, way, at);
}

/** Logs a failed sign-in that another server began. */
export function rememberTurnedAway(
  tx: Db,
  origin: Origin,
  who: string,
  error: Refusal,
  { at, way }: { at: SignInAt; way: 'sso' | 'wechat' },
): Promise<void> {
  const entry = { at, how: signInWays[way], reason: error.message };
  return rememberSignIn(tx, origin, null, error.code, `${who}：${error.message}`, entry);
}

/** True if a session was opened by single sign-on. */
export async function ssoSession(tx: Db, user: Viewer): Promise<boolean> {
  const [session] = await tx
    .select({ way: sessionTable.way })
    .from(sessionTable)
    .where(eq(sessionTable.id, user.sessionId));
  return session?.way === 'sso';
}
