import { sql, type SQL } from 'drizzle-orm';
import { addressOf, type Attempts, type Limit } from '#kernel/server/access/attempts.ts';
import type { Cookies } from '#kernel/server/http/cookies.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import { createTurnsOf } from '#kernel/server/jobs/turns.ts';
import type { LoginValue } from '#modules/platform/settings/service.ts';
import { dearest } from '../contract.ts';
import { markOf } from './devices.ts';
import { deviceOf } from './known-devices.ts';

/** One address may stand for a whole office, so it is allowed more failures than one account. */
const addressShare = 10;
/** Passwords of one address checked at the same time: as many as the machine checks anyway. */
const addressAtOnce = 4;

/** An account that may not exist, named by what was typed. */
export type Claimed = { username: string } | { phone: string } | { mail: string };

interface Counter {
  limit: Limit;
  subject: string;
  /** Failures before any work is required. */
  free: number;
  /** Failures after which the work doubles. */
  step: number;
}
/** The counters of a sign-in's failures. */
export interface Counters {
  counters: readonly Counter[];
  /** The hash of a device that the account knows. */
  device: string | null;
}

const nameOf = (who: Claimed) => ('phone' in who ? who.phone : 'mail' in who ? who.mail : who.username.toLowerCase());

/** The condition on `u` for the account. */
export function claimedBy(who: Claimed): SQL {
  if ('phone' in who) return sql`u.phone = ${who.phone}`;
  if ('username' in who) return sql`u.username = ${who.username}`;
  return sql`u.id = (select user_id from confirmed_mail where address = ${who.mail}) and lower(u.email) = ${who.mail}`;
}

/**
 * A device that the account knows is counted alone, whatever strangers do. All others share the counters of the account and of their address; the
 * address does not count against people who signed in from it before.
 */
export async function countersFor(
  db: Db,
  who: Claimed,
  { origin, cookies }: { origin: Origin; cookies: Cookies },
  login: LoginValue,
): Promise<Counters> {
  const mark = deviceOf(cookies);
  const { rows } = await db.execute<{ known: boolean; familiar: boolean }>(sql`
    select exists (select from known_device d
        where d.user_id = u.id and d.mark = ${mark} and d.session_version = u.session_version) as known,
      exists (select from sign_in_device d where d.user_id = u.id and d.mark = ${markOf(origin)}) as familiar
    from app_user u where ${claimedBy(who)} and not u.is_deleted`);
  const { known = false, familiar = false } = rows[0] ?? {};
  const seconds = login.lock_min * 60;
  const counter = (kind: string, subject: string, share = 1): Counter => ({
    limit: { kind, limit: login.max_fail * share, seconds },
    subject,
    free: login.captcha_after * share,
    step: share,
  });
  const name = nameOf(who);
  if (known) return { counters: [counter('sign-in-device', `${name}:${mark}`)], device: mark };
  const account = counter('sign-in', name);
  const address = counter('sign-in-from', addressOf(origin.ip), addressShare);
  return { counters: familiar ? [account] : [account, address], device: null };
}

/** The work required for the next try: 0 needs no proof. */
export async function workOf(attempts: Attempts, { counters }: Counters): Promise<number> {
  const works: number[] = [];
  for (const { limit, subject, free, step } of counters) {
    const { count } = await attempts.look(limit, subject);
    if (count >= limit.limit) works.push(dearest);
    else works.push(count < free ? 0 : Math.min(dearest, 2 ** Math.floor((count - free) / step)));
  }
  return Math.max(...works);
}

/**
 * Counts a password or code as a failure before it is checked, so that no node checks more than the free ones. Returns the failures on the account,
 * or on its own device, including this one; null if work must be proved first, and then nothing is counted.
 */
export async function countFree(attempts: Attempts, { counters }: Counters): Promise<number | null> {
  const counts: number[] = [];
  for (const { limit, subject, free } of counters) {
    const tries = await attempts.hitBelow(Math.min(free, limit.limit), limit, subject);
    if (!tries) {
      for (const { limit: given, subject: whose } of counters.slice(0, counts.length))
        await attempts.giveBack(given.kind, whose);
      return null;
    }
    counts.push(tries.count);
  }
  return counts[0]!;
}

/** The same for a try with proved work. */
export async function countProved(attempts: Attempts, { counters }: Counters): Promise<number> {
  const counts: number[] = [];
  for (const { limit, subject } of counters) counts.push((await attempts.hit(limit, subject)).count);
  return counts[0]!;
}

/** After success: the earlier failures were the person's own; the address keeps those of others. */
export async function forgetFailures(attempts: Attempts, { counters: [own, address] }: Counters): Promise<void> {
  await attempts.forget(own!.limit.kind, own!.subject);
  if (address) await attempts.giveBack(address.limit.kind, address.subject);
}

/** Undoes the count of a try that was not checked. */
export async function takeBack(attempts: Attempts, { counters }: Counters): Promise<void> {
  for (const { limit, subject } of counters) await attempts.giveBack(limit.kind, subject);
}

/**
 * Serialises tries, so that concurrent correct ones do not block each other, each counted until it was checked. The counts are in the database; the
 * turns are per process.
 */
export function createTurnsToTry(): <T>(counters: Counters, work: () => Promise<T>) => Promise<T> {
  const ofAccount = createTurnsOf<string>(1);
  const ofAddress = createTurnsOf<string>(addressAtOnce);
  return ({ counters: [own, address] }, work) =>
    ofAccount(`${own!.limit.kind}:${own!.subject}`, () => (address ? ofAddress(address.subject, work) : work()));
}

/**
 * Lets somebody who was locked out try again at once: by name, number or mail, from each of their devices, and with codes of the second step. Returns
 * how many counters there were.
 */
export async function unlock(
  tx: Db,
  { id, username, phone }: { id: number; username: string; phone: string | null },
): Promise<number> {
  const names = [username.toLowerCase(), ...(phone ? [phone] : [])];
  const { rowCount } = await tx.execute(sql`
    delete from attempt a where exists (select from (
          select unnest(${sql.param(names)}::text[]) union select address from confirmed_mail where user_id = ${id}) own (name)
        where (a.kind = 'sign-in' and a.subject = name) or (a.kind = 'sign-in-device' and starts_with(a.subject, name || ':')))
      or (a.kind in ('second-step', 'second-step-day', 'second-step-recovery')
        and (a.subject = ${String(id)} or starts_with(a.subject, ${`${id}:`})))`);
  return rowCount ?? 0;
}
