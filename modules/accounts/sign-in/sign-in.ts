import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Context, Origin } from '#kernel/server/http/implement.ts';
import { remember } from '#modules/audit/service.ts';
import { userType } from '#modules/people/contract/codes.ts';
import { userTable } from '#modules/people/tables.ts';
import { lets, type LoginValue, type Settings } from '#modules/settings/service.ts';
import type { Challenges } from './challenge.ts';
import {
  addressNotLet,
  challengeNeeded,
  closedWay,
  disabled,
  noTexts,
  signInRefused,
  wrongCode,
  type accounts,
} from '../contract.ts';
import {
  countersFor,
  countFree,
  countProved,
  forgetFailures,
  takeBack,
  workOf,
  type Counters,
  type createTurnsToTry,
} from './dearness.ts';
import { passwordFits } from './password.ts';
import type { PhoneCodes } from './phone-code.ts';
import type { SignInWay } from '../tables.ts';

type Credentials = BodyOf<typeof accounts.login>;
type UserRow = typeof userTable.$inferSelect;

export interface SignInParts {
  databases: Databases;
  attempts: Attempts;
  settings: Settings;
  challenges: Challenges;
  phoneCodes: PhoneCodes;
  turns: ReturnType<typeof createTurnsToTry>;
  /** Whether a code by text message reaches anybody. */
  codesLeave(): Promise<boolean>;
}
type Caller = Pick<Context, 'origin' | 'cookies'>;
/** Who may come in, as far as it could be seen before the transaction. */
export interface Admitted {
  password: string | null;
  login: LoginValue;
}

/** Everything about a sign-in that is slow or must be counted although it is refused. Refuses or admits. */
export async function admit(parts: SignInParts, body: Credentials, caller: Caller): Promise<Admitted> {
  const { origin } = caller;
  const login = await parts.settings.get('login');
  if (!lets(login.ip_whitelist, origin.ip)) throw addressNotLet(origin.ip);
  if ('phone' in body && !login.phone_login) throw closedWay('手机验证码');
  if ('phone' in body && !(await parts.codesLeave())) throw noTexts();
  const counters = await countersFor(parts.databases.fresh, body, caller, login);
  return parts.turns(counters, async () => {
    const failures = (await countFree(parts.attempts, counters)) ?? (await countedWithProof(parts, body, counters));
    try {
      if ('phone' in body) await tryCode(parts, body, origin, counters);
      const password = 'phone' in body ? null : await passwordOf(parts, body, origin, { login, counters, failures });
      await forgetFailures(parts.attempts, counters);
      return { password, login };
    } catch (error) {
      if (!(error instanceof Refusal)) await takeBack(parts.attempts, counters);
      throw error;
    }
  });
}

/** Counts a try for which the work that it costs now was proved. */
async function countedWithProof(
  { attempts, challenges }: SignInParts,
  { challenge }: Credentials,
  counters: Counters,
): Promise<number> {
  const work = Math.max(1, await workOf(attempts, counters));
  if (!(await challenges.accept(challenge, work))) throw challengeNeeded(work);
  return countProved(attempts, counters);
}

/** Looks whether the code fits; it is used up in the transaction. Refuses where it does not. */
async function tryCode(
  parts: SignInParts,
  { phone, code }: { phone: string; code: string },
  origin: Origin,
  counters: Counters,
): Promise<void> {
  await parts.phoneCodes.guess(phone, 'login', counters.device).catch(async (stop: unknown) => {
    // Past the guesses that a code has it is not looked at.
    if (stop instanceof Refusal) await takeBack(parts.attempts, counters);
    throw stop;
  });
  if (await parts.phoneCodes.fits(parts.databases.fresh, phone, 'login', code)) return;
  const refusal = wrongCode();
  await parts.databases.write((tx) => rememberSignIn(tx, origin, null, codes.refused, `${phone}：${refusal.message}`));
  throw refusal;
}

/** The hash that fits the password. Refuses where none does. */
async function passwordOf(
  parts: SignInParts,
  { username, password }: { username: string; password: string },
  origin: Origin,
  { login, counters, failures }: { login: LoginValue; counters: Counters; failures: number },
): Promise<string> {
  const [user] = await parts.databases.fresh
    .select()
    .from(userTable)
    .where(and(eq(userTable.username, username), eq(userTable.is_deleted, false)));
  if (await passwordFits(user?.password, password)) return user!.password;
  await rememberFailure(parts, origin, user, failures === login.max_fail ? failures : null);
  throw signInRefused(await workOf(parts.attempts, counters));
}

async function rememberFailure(
  { databases }: SignInParts,
  origin: Origin,
  user: UserRow | undefined,
  failures: number | null,
): Promise<void> {
  const title = user ? `${user.alias}（${user.username}）` : '不存在的用户';
  await databases.write((tx) =>
    rememberSignIn(
      tx,
      origin,
      user ?? null,
      codes.refused,
      `${title}${failures === null ? '' : `，已连续失败 ${failures} 次`}`,
    ),
  );
}

/** The person who comes in, looked at again inside the transaction: what was true a moment ago may not be any more. */
export async function enter(
  tx: Db,
  { phoneCodes }: SignInParts,
  body: Credentials,
  { password, login }: Admitted,
): Promise<UserRow> {
  const byPhone = 'phone' in body;
  if (byPhone) await phoneCodes.use(tx, body.phone, 'login', body.code);
  const [user] = await tx
    .select()
    .from(userTable)
    .where(
      and(
        byPhone ? eq(userTable.phone, body.phone) : eq(userTable.username, body.username),
        eq(userTable.is_deleted, false),
      ),
    )
    .for('update');
  if (!user || (!byPhone && user.password !== password)) throw byPhone ? wrongCode() : signInRefused(0);
  if (!user.is_active) throw disabled();
  if (login.sso_only && user.type_id !== userType.superAdmin) throw closedWay(byPhone ? '手机验证码' : '密码');
  const expired = login.pwd_expire_days > 0 && olderThan(user.password_changed_at, login.pwd_expire_days);
  if (!byPhone && expired && !user.must_change_pwd) {
    await tx.update(userTable).set({ must_change_pwd: true }).where(eq(userTable.id, user.id));
  }
  return user;
}

const olderThan = (moment: string, days: number) =>
  houseNow().getTime() - momentOf(moment).getTime() > days * 86_400_000;

/** The call by which somebody came in. */
export interface SignInAt {
  method: string;
  path: string;
}
export const waysOf: Record<SignInWay, string> = { password: '', phone: '', sso: '单点登录', wechat: '微信登录' };

/** Writes who came in, or who was not let in, into the operation log. */
export async function rememberSignIn(
  tx: Db,
  origin: Origin,
  user: Pick<UserRow, 'id' | 'username' | 'alias'> | null,
  result: number,
  title: string,
  at: SignInAt = { method: 'POST', path: '/api/accounts/login/' },
): Promise<void> {
  await remember(tx, {
    module: 'accounts',
    action: result === codes.ok ? '登录' : '登录失败',
    ...at,
    user,
    origin,
    result,
    milliseconds: 0,
    changes: [{ type: '登录', id: user?.id ?? null, title }],
  });
}

/** A refusal that came inside the transaction takes its entry with it; this one stays. */
export async function rememberRefused({ databases }: SignInParts, origin: Origin, title: string, error: unknown) {
  if (!(error instanceof Refusal)) return;
  await databases.beside((tx) => rememberSignIn(tx, origin, null, error.code, `${title}：${error.message}`));
}
