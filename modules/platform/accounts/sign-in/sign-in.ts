import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { daysLater, momentOf } from '#kernel/contract/moment.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { addressOf, type Attempts, type Limit } from '#kernel/server/access/attempts.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Context, Origin } from '#kernel/server/http/implement.ts';
import { failedAct, signInFields, type SignInAct, type SignInHow } from '#modules/platform/audit/contract/sign-ins.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { maskTarget } from '#modules/platform/deliveries/service.ts';
import { userType } from '#modules/platform/people/contract/codes.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';
import { lets, type LoginValue, type Settings } from '#modules/platform/settings/service.ts';
import type { Challenges } from './challenge.ts';
import {
  addressNotLet,
  challengeNeeded,
  closedWay,
  copyIsQuiet,
  disabled,
  noTexts,
  signInRefused,
  wrongCode,
  accounts,
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
import type { PhoneCodes, Scene } from './phone-code.ts';

type Credentials = BodyOf<typeof accounts.login>;
type UserRow = typeof userTable.$inferSelect;

/** Services needed to check a password or a code. */
export interface TryParts {
  databases: Databases;
  attempts: Attempts;
  challenges: Challenges;
  phoneCodes: PhoneCodes;
  turns: ReturnType<typeof createTurnsToTry>;
}
export interface SignInParts extends TryParts {
  settings: Settings;
  /** Returns whether codes can be sent by text message. */
  codesLeave(): Promise<boolean>;
}
type Caller = Pick<Context, 'origin' | 'cookies'>;
/** The result of the checks before the transaction. */
export interface Admitted {
  password: string | null;
  login: LoginValue;
}

/** Limits the log entries of an address that may not sign in, so that nobody fills the log from there. */
const notLet: Limit = { kind: 'sign-in-not-let', limit: 10, seconds: 3600 };

/** The parts of a sign-in that are slow or must be counted although it is refused. Refuses or admits. */
export async function admit(parts: SignInParts, body: Credentials, caller: Caller): Promise<Admitted> {
  const { origin } = caller;
  const login = await parts.settings.get('login');
  if (!lets(login.ip_whitelist, origin.ip)) {
    const refusal = addressNotLet(origin.ip);
    const told = await parts.attempts.hit(notLet, addressOf(origin.ip));
    const how = 'phone' in body ? '手机验证码' : '密码';
    const title = 'phone' in body ? body.phone : body.username;
    if (!told.exceeded) await rememberRefused(parts, origin, { title }, refusal, { how });
    throw refusal;
  }
  if ('phone' in body && !login.phone_login) throw closedWay('手机验证码');
  if ('phone' in body && (await isQuiet(parts.settings))) throw copyIsQuiet('短信');
  if ('phone' in body && !(await parts.codesLeave())) throw noTexts();
  const counters = await countersFor(parts.databases.fresh, body, caller, login);
  return tryCounted(parts, counters, body.challenge, async (failures) => {
    if ('phone' in body) await tryCode(parts, { to: body.phone, scene: 'login', code: body.code }, origin, counters);
    const password = 'phone' in body ? null : await passwordOf(parts, body, origin, { login, counters, failures });
    return { password, login };
  });
}

/** One try in its turn, counted before it is made: first the free ones, then those with proved work. `make` receives the failures including this one. */
export async function tryCounted<T>(
  parts: TryParts,
  counters: Counters,
  challenge: string | undefined,
  make: (failures: number) => Promise<T>,
): Promise<T> {
  return parts.turns(counters, async () => {
    const failures =
      (await countFree(parts.attempts, counters)) ?? (await countedWithProof(parts, challenge, counters));
    try {
      const made = await make(failures);
      await forgetFailures(parts.attempts, counters);
      return made;
    } catch (error) {
      if (!(error instanceof Refusal)) await takeBack(parts.attempts, counters);
      throw error;
    }
  });
}

/** Counts a try for which the required work was proved. */
async function countedWithProof(
  { attempts, challenges }: TryParts,
  challenge: string | undefined,
  counters: Counters,
): Promise<number> {
  const work = Math.max(1, await workOf(attempts, counters));
  if (!(await challenges.accept(challenge, work))) throw challengeNeeded(work);
  return countProved(attempts, counters);
}

/** Checks a code, which is used up in the transaction. Refuses a wrong one. */
export async function tryCode(
  parts: TryParts,
  { to, scene, code }: { to: string; scene: Scene; code: string },
  origin: Origin,
  counters: Counters,
  remembered: Remembered = { how: '手机验证码' },
): Promise<void> {
  await parts.phoneCodes.guess(to, scene, counters.device).catch(async (stop: unknown) => {
    // A code with too many guesses is not checked.
    if (stop instanceof Refusal) await takeBack(parts.attempts, counters);
    throw stop;
  });
  if (await parts.phoneCodes.fits(parts.databases.fresh, to, scene, code)) return;
  const refusal = wrongCode();
  const title = `${maskTarget('mail', to)}：${refusal.message}`;
  const entry = { ...remembered, reason: refusal.message };
  await parts.databases.write((tx) => rememberSignIn(tx, origin, null, codes.refused, title, entry));
  throw refusal;
}

/** The hash that fits the password. Refuses if none does. */
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
      { how: '密码', reason: user ? '密码不正确' : '没有这个用户' },
    ),
  );
}

/** The person who signs in, checked again inside the transaction, because things may have changed since. */
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

const olderThan = (moment: string, days: number) => daysLater(momentOf(moment), days) < houseNow();

/** The call that signed somebody in. */
export interface SignInAt {
  method: string;
  path: string;
}
/** The act to log, by default a sign-in. */
export interface Remembered {
  what?: SignInAct;
  at?: SignInAt | undefined;
  /** The means used. */
  how: SignInHow;
  /** Why it was refused. */
  reason?: string;
}
/** Logs a sign-in, successful or refused. */
export async function rememberSignIn(
  tx: Db,
  origin: Origin,
  user: Pick<UserRow, 'id' | 'username' | 'alias'> | null,
  result: number,
  title: string,
  { what = '登录', at = { method: 'POST', path: accounts.login.path }, how, reason }: Remembered,
): Promise<void> {
  await remember(tx, {
    module: 'accounts',
    action: result === codes.ok ? what : failedAct(what),
    ...at,
    user,
    origin,
    result,
    milliseconds: 0,
    changes: [
      {
        type: '登录',
        id: user?.id ?? null,
        title,
        after: { [signInFields.how]: how, [signInFields.reason]: reason },
      },
    ],
  });
}

/** A refusal inside the transaction rolls its log entry back; this one stays. */
export async function rememberRefused(
  { databases }: Pick<SignInParts, 'databases'>,
  origin: Origin,
  who: { title: string; user?: Parameters<typeof rememberSignIn>[2] },
  error: unknown,
  remembered: Remembered,
) {
  if (!(error instanceof Refusal)) return;
  const entry = { ...remembered, reason: error.message };
  await databases.beside((tx) =>
    rememberSignIn(tx, origin, who.user ?? null, error.code, `${who.title}：${error.message}`, entry),
  );
}
