import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { addressOf, type Attempts, type Limit } from '#kernel/server/attempts.ts';
import type { Databases, Db } from '#kernel/server/db.ts';
import type { Origin } from '#kernel/server/implement.ts';
import { remember } from '#modules/audit/service.ts';
import { userTable } from '#modules/people/tables.ts';
import { lets, type LoginValue, type Settings } from '#modules/settings/service.ts';
import type { Challenges } from './challenge.ts';
import {
  addressNotLet,
  challengeNeeded,
  closedWay,
  disabled,
  locked,
  signInRefused,
  wrongCode,
  type accounts,
} from './contract.ts';
import { passwordFits } from './password.ts';
import type { PhoneCodes } from './phone-code.ts';
import type { SignInWay } from './tables.ts';

type Credentials = BodyOf<typeof accounts.login>;
type UserRow = typeof userTable.$inferSelect;

/** One address may stand for a whole office, so it is given more failures than one account. */
const addressShare = 10;

export interface SignInParts {
  databases: Databases;
  attempts: Attempts;
  settings: Settings;
  challenges: Challenges;
  phoneCodes: PhoneCodes;
}
/** Who may come in, as far as it could be seen before the transaction. */
export interface Admitted {
  username: string | null;
  password: string | null;
  login: LoginValue;
}

interface Limits {
  account: Limit;
  address: Limit;
}
function limitsOf(login: LoginValue): Limits {
  const seconds = login.lock_min * 60;
  return {
    account: { kind: 'sign-in', limit: login.max_fail, seconds },
    address: { kind: 'sign-in-from', limit: login.max_fail * addressShare, seconds },
  };
}

/** Everything about a sign-in that is slow or must be counted although it is refused. Refuses or admits. */
export async function admit(parts: SignInParts, body: Credentials, origin: Origin): Promise<Admitted> {
  const login = await parts.settings.get('login');
  if (!lets(login.ip_whitelist, origin.ip)) throw addressNotLet(origin.ip);
  if ('phone' in body && !login.phone_login) throw closedWay('手机验证码');
  const subject = 'phone' in body ? body.phone : body.username.toLowerCase();
  const tries = await countTry(parts, limitsOf(login), login, subject, body.challenge, origin.ip);
  if ('phone' in body) {
    await parts.phoneCodes.guess(body.phone, 'login');
    return { username: null, password: null, login };
  }
  const [user] = await parts.databases.fresh
    .select()
    .from(userTable)
    .where(and(eq(userTable.username, body.username), eq(userTable.deleted, false)));
  if (await passwordFits(user?.password, body.password)) {
    await parts.attempts.forget('sign-in', subject);
    return { username: body.username, password: user!.password, login };
  }
  await rememberFailure(parts, origin, user, tries >= login.max_fail);
  throw signInRefused(tries >= login.captcha_after);
}

/**
 * Counts the try before it is looked at, so that many at once gain nothing; the address has it given back where it was right.
 * Answers the tries on this account.
 */
async function countTry(
  { attempts, challenges }: SignInParts,
  limits: Limits,
  login: LoginValue,
  subject: string,
  challenge: string | undefined,
  ip: string,
): Promise<number> {
  const known = await attempts.look(limits.account, subject);
  const address = addressOf(ip);
  const here = await attempts.look(limits.address, address);
  for (const [tries, limit] of [[known, limits.account] as const, [here, limits.address] as const])
    if (tries.count >= limit.limit) throw locked(Math.ceil(tries.retryAfter / 60));
  const proves = Math.max(known.count, here.count) >= login.captcha_after;
  if (proves && !(await challenges.accept(challenge))) throw challengeNeeded();
  const tries = await attempts.hit(limits.account, subject);
  if (tries.exceeded) throw locked(Math.ceil(tries.retryAfter / 60));
  if (!proves && tries.count > login.captcha_after) throw challengeNeeded();
  const from = await attempts.hit(limits.address, address);
  if (from.exceeded) {
    await attempts.giveBack(limits.address.kind, address);
    throw locked(Math.ceil(from.retryAfter / 60));
  }
  return tries.count;
}

async function rememberFailure(
  { databases }: SignInParts,
  origin: Origin,
  user: UserRow | undefined,
  locks: boolean,
): Promise<void> {
  const title = user ? `${user.alias}（${user.username}）` : '不存在的用户';
  await databases.write((tx) =>
    rememberSignIn(tx, origin, user ?? null, codes.refused, `${title}${locks ? '，已锁定' : ''}`),
  );
}

/** The person who comes in, looked at again inside the transaction: what was true a moment ago may not be any more. */
export async function enter(
  tx: Db,
  { phoneCodes, attempts }: SignInParts,
  body: Credentials,
  { password, login }: Admitted,
  origin: Origin,
): Promise<UserRow> {
  const byPhone = 'phone' in body;
  if (byPhone) await phoneCodes.use(tx, body.phone, 'login', body.code);
  const [user] = await tx
    .select()
    .from(userTable)
    .where(
      and(
        byPhone ? eq(userTable.phone, body.phone) : eq(userTable.username, body.username),
        eq(userTable.deleted, false),
      ),
    )
    .for('update');
  if (!user || (!byPhone && user.password !== password)) throw byPhone ? wrongCode() : signInRefused(false);
  if (byPhone) await attempts.forget('sign-in', body.phone);
  if (!user.active) throw disabled();
  if (login.sso_only && user.type !== 2) throw closedWay(byPhone ? '手机验证码' : '密码');
  const expired = login.pwd_expire_days > 0 && olderThan(user.passwordChanged, login.pwd_expire_days);
  if (!byPhone && expired && !user.mustChangePassword) {
    await tx.update(userTable).set({ mustChangePassword: true }).where(eq(userTable.id, user.id));
  }
  await attempts.giveBack(limitsOf(login).address.kind, addressOf(origin.ip));
  return user;
}

const olderThan = (moment: string, days: number) => Date.now() - momentOf(moment).getTime() > days * 86_400_000;

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

/** A refusal that came inside the transaction takes its entry with it; this one stays, as the count does. */
export async function rememberRefused({ databases }: SignInParts, origin: Origin, title: string, error: unknown) {
  if (!(error instanceof Refusal)) return;
  await databases.beside((tx) => rememberSignIn(tx, origin, null, error.code, `${title}：${error.message}`));
}
