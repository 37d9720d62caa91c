import { createHash, createHmac, randomBytes } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Cookies } from '#kernel/server/http/cookies.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { notThisBrowser } from './contract.ts';
import { tripTable, type TripKind, type WechatIdentity } from './tables.ts';

/** A trip under way, provable only by its browser. */
export interface Trip {
  state: string;
  wayBack: string;
  /** 43 characters derived from the browser's cookie and the state, different for each purpose; stored nowhere. */
  secret(purpose: 'nonce' | 'verifier'): string;
}

const cookie = 'signon';
const seconds = 300;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const random = () => randomBytes(32).toString('base64url');
const isOurs = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text);

/** A return path within this site; `/` for anything else. */
export function ownPath(wanted: string | undefined): string {
  const fits = wanted && wanted.length <= 500 && /^\/(?![/\\])/.test(wanted) && !/[\p{Cc}\p{Cs}\\]/u.test(wanted);
  return fits ? wanted : '/';
}

/** Begins a trip: stores hashes of a new state and of the browser's cookie for five minutes. */
export async function beginTrip(
  tx: Db,
  cookies: Cookies,
  trip: { kind: TripKind; wayBack: string; identity?: WechatIdentity },
): Promise<Trip> {
  const kept = cookies.get(cookie);
  const browser = isOurs(kept) ? kept : random();
  cookies.set(cookie, browser, seconds);
  const state = random();
  await tx.delete(tripTable).where(lt(tripTable.expires_at, sql`now()`));
  await tx.insert(tripTable).values({
    kind: trip.kind,
    way_back: trip.wayBack,
    ...(trip.identity ? { identity: trip.identity } : {}),
    hash: sha256(state),
    browser: sha256(browser),
    expires_at: sql`now() + make_interval(secs => ${seconds})`,
  });
  return tripOf(browser, state, trip.wayBack);
}

/** Refuses a state that is unknown, expired, used, of another kind or of another browser; the trip stays valid. */
export async function checkTrip(read: Db, cookies: Cookies, kind: TripKind, state: string): Promise<void> {
  const [row] = await read
    .select({ hash: tripTable.hash })
    .from(tripTable)
    .where(thatTrip(cookies, kind, state).kept);
  if (!row) throw notThisBrowser();
}

/** Uses a trip up, with the refusals of `checkTrip`. In a transaction of its own it stays used after a later error; in the caller's it does not. */
export async function endTrip(
  tx: Db,
  cookies: Cookies,
  kind: TripKind,
  state: string | undefined,
): Promise<Trip & { identity: WechatIdentity | null }> {
  const trip = thatTrip(cookies, kind, state);
  const [row] = await tx.delete(tripTable).where(trip.kept).returning();
  if (!row) throw notThisBrowser();
  return { ...tripOf(trip.browser, trip.state, row.way_back), identity: row.identity };
}

function thatTrip(cookies: Cookies, kind: TripKind, state: string | undefined) {
  const browser = cookies.get(cookie);
  if (!isOurs(state) || !isOurs(browser)) throw notThisBrowser();
  const kept = and(
    eq(tripTable.hash, sha256(state)),
    eq(tripTable.browser, sha256(browser)),
    eq(tripTable.kind, kind),
    gt(tripTable.expires_at, sql`now()`),
  );
  return { state, browser, kept };
}

function tripOf(browser: string, state: string, wayBack: string): Trip {
  return {
    state,
    wayBack,
    secret: (purpose) => createHmac('sha256', browser).update(`${purpose}:${state}`).digest('base64url'),
  };
}
