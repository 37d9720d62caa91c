import { createSigner, createVerifier } from 'fast-jwt';
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Bus } from '#kernel/server/live/bus.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import { Away, isAway } from '#kernel/server/db/lost.ts';
import { createStore } from '#kernel/server/process/store.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { ownPasswordFirst } from '../profile/profile.ts';
import { isSeeing, seenBy } from '../seeing/seeing.ts';
import { sessionTable } from '../tables.ts';

interface Claims {
  sub: string;
  sid: number;
  jti: string;
}

/** Seconds for which a person is cached; NOTIFY makes changes take effect at once. */
const believedSeconds = 5;
const seenEverySeconds = 60;
const longestTokenSeconds = 30 * 24 * 3600;
const most = 5000;
const audience = 'gongdan';

export interface Identity {
  /** The person of a token, or null. */
  identify(token: string): Promise<Viewer | null>;
  /** The person of a session, or null. */
  ofSession(userId: number, sessionId: number): Promise<Viewer | null>;
  /** A current member of staff without a session, or null. */
  ofPerson(userId: number): Promise<Viewer | null>;
  sign(userId: number, sessionId: number): string;
}

export interface IdentityOptions {
  secret: string;
  databases: Pick<Databases, 'fresh' | 'write' | 'saves' | 'look' | 'seenAt'>;
  bus: Bus;
  /** Returns whether system, organisation and audit administration are separated. */
  apart(): Promise<boolean>;
  /** Hours a session lives after its last use. */
  sessionHours(): Promise<number>;
  onError(error: Error): void;
}

/** Tokens identify a session; its row decides, on every node, whether it is still valid. */
export function createIdentity(options: IdentityOptions): Identity {
  const { databases, bus } = options;
  const { fresh } = databases;
  const key = options.secret;
  const sign = createSigner({ key, algorithm: 'HS256', aud: audience, expiresIn: longestTokenSeconds * 1000 });
  const rules = {
    key,
    algorithms: ['HS256' as const],
    allowedAud: audience,
    requiredClaims: ['sub', 'sid', 'jti', 'exp', 'aud'],
  };
  const verify = createVerifier(rules);
  const known = createStore<number, { sub: string; viewer: Promise<Viewer | null>; until: number }>(most);
  let deaf = false;

  const forget = (userId: string) => {
    if (userId === 'all') return known.clear();
    for (const [session, kept] of known.entries()) if (kept.sub === userId) known.delete(session);
  };
  bus.listen('rights', (userId) => {
    forget(userId);
    doubt(`rights ${userId}`);
  });
  bus.listen('session', (sessionId) => {
    known.delete(Number(sessionId));
    doubt(`session ${sessionId}`);
  });
  bus.onGap(() => {
    deaf = !bus.connected();
    known.clear();
  });

  /** The times at which changes of rights or sessions were announced. A stand-in replica only counts if it has received them since. */
  const changed = new Map<string, number>();
  function doubt(what: string): void {
    const seen = databases.seenAt();
    for (const [known, at] of changed) if (at < seen) changed.delete(known);
    changed.set(what, performance.now());
    void databases.look();
  }
  const isDoubtful = ({ sub, sid }: Pick<Claims, 'sub' | 'sid'>) =>
    [`rights ${sub}`, 'rights all', `session ${sid}`].some((what) => (changed.get(what) ?? 0) > databases.seenAt());

  async function look(claim: Pick<Claims, 'sub' | 'sid'>): Promise<Viewer | null> {
    const [session] = await fresh
      .select({
        user_id: sessionTable.user_id,
        session_version: sessionTable.session_version,
        way: sessionTable.way,
        second_step: sessionTable.second_step,
        seeing_role: sessionTable.seeing_role,
        seeing_user: sessionTable.seeing_user,
        stale: sql<boolean>`${sessionTable.last_seen} < now() - make_interval(secs => ${seenEverySeconds})`,
      })
      .from(sessionTable)
      .where(
        and(
          eq(sessionTable.id, claim.sid),
          eq(sessionTable.user_id, Number(claim.sub)),
          isNull(sessionTable.ended_at),
          gt(sessionTable.expires_at, sql`now()`),
        ),
      );
    // A session opened just now may not have reached a replica.
    if (!session && !databases.saves()) throw new Away();
    if (!session) return null;
    const person = await personWithRights(fresh, session.user_id);
    if (!person?.active || person.sessionVersion !== session.session_version) return null;
    // A session that still needs its second step is not prolonged.
    if (session.stale && !session.second_step && databases.saves())
      void prolong(claim.sid).catch((error: Error) => isAway(error) || options.onError(error));
    const viewer = viewerOf(
      ownPasswordFirst(session.way) ? person : { ...person, mustChangePassword: false },
      claim.sid,
    );
    if (session.second_step) return { ...viewer, secondStep: session.second_step };
    return isSeeing(session) ? seenBy(fresh, viewer, session, await options.apart()) : viewer;
  }

  async function prolong(sessionId: number): Promise<void> {
    const hours = await options.sessionHours();
    await databases.write((tx) =>
      tx
        .update(sessionTable)
        .set({ last_seen: sql`now()`, expires_at: sql`now() + make_interval(hours => ${hours})` })
        .where(and(eq(sessionTable.id, sessionId), isNull(sessionTable.ended_at))),
    );
  }

  async function lookAt(userId: number): Promise<Viewer | null> {
    const person = await personWithRights(fresh, userId);
    return person?.active ? viewerOf(person, 0) : null;
  }

  /** Cache keys: sessions by their numbers, people without one by negative numbers. */
  async function believed({ sub, sid }: Pick<Claims, 'sub' | 'sid'>): Promise<Viewer | null> {
    if (!databases.saves() && isDoubtful({ sub, sid })) throw new Away();
    const kept = known.get(sid);
    if (kept && kept.sub === sub && kept.until > performance.now() && !deaf) return kept.viewer;
    const viewer = sid < 0 ? lookAt(-sid) : look({ sub, sid });
    // The rights of such a session change with its next call, on every node.
    void viewer.then((one) => one?.secondStep && known.delete(sid)).catch(() => undefined);
    known.set(sid, { sub, viewer, until: performance.now() + believedSeconds * 1000 });
    return viewer.catch((error: unknown) => {
      known.delete(sid);
      throw error;
    });
  }

  return {
    sign: (userId, sessionId) => sign({ sub: String(userId), sid: sessionId, jti: randomUUID() } satisfies Claims),
    async identify(token) {
      const claim = claimsIn(verify, token);
      return claim && believed(claim);
    },
    ofSession: (userId, sessionId) => believed({ sub: String(userId), sid: sessionId }),
    ofPerson: (userId) => believed({ sub: String(userId), sid: -userId }),
  };
}

function claimsIn(verify: (token: string) => unknown, token: string): Claims | null {
  try {
    const claims = verify(token) as Claims;
    return Number.isSafeInteger(claims.sid) && claims.sid > 0 && /^\d{1,10}$/.test(claims.sub) ? claims : null;
  } catch {
    return null;
  }
}

declare module '#kernel/server/services.ts' {
  interface Services {
    identity: Identity;
  }
}
