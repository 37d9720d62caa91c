import { signedOut } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { ProtocolReply, type Wire } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { lockedOut, versionOf, writable, type Hosting } from '../hosting.ts';
import { answerLock, isLock, lockMinutes, type LockWish } from './locks.ts';
import type { Pass } from './passes.ts';

/** Lock, UnlockAndRelock, GetLock, RefreshLock, Unlock; others are not implemented. */
export async function operate(
  hosting: Hosting,
  { pass, user, wire, now, tx }: { pass: Pass; user: Viewer; wire: Wire; now: Date; tx: Db },
): Promise<ProtocolReply> {
  const { files } = hosting;
  const wish = wishOf(wire);
  if (typeof wish === 'number') return new ProtocolReply(wish);
  // Everybody with a pass may read the lock, which does not remove anybody's.
  if (wish.kind !== 'get' && !pass.write) throw signedOut();
  // Somebody who may no longer write can still release their own lock.
  const held =
    wish.kind === 'get' || wish.kind === 'unlock'
      ? await files.held(tx, user, pass.fileId)
      : await writable(hosting, tx, user, pass);
  const lock = await files.lockOf(tx, pass.fileId, now, true);
  const answer = answerLock(lock, wish);
  if (!answer.ok) return lockedOut(lock, answer.reason);
  if (answer.keep === null) await files.keepLock(tx, pass.fileId, null);
  else if (answer.keep !== undefined)
    await files.keepLock(tx, pass.fileId, {
      id: answer.keep,
      userId: user.id,
      until: new Date(now.getTime() + lockMinutes * 60_000),
    });
  const headers = versionOf(held);
  return new ProtocolReply(200, { headers: wish.kind === 'get' ? { ...headers, 'x-wopi-lock': lock ?? '' } : headers });
}

/** The editor's request; a status if it is unclear or not supported. */
function wishOf(wire: Wire): LockWish | 400 | 501 {
  const [lock, old] = [wire.header('x-wopi-lock'), wire.header('x-wopi-oldlock')];
  switch (wire.header('x-wopi-override')) {
    case 'GET_LOCK':
      return { kind: 'get' };
    case 'LOCK':
      if (!isLock(lock)) return 400;
      if (old === undefined) return { kind: 'lock', lock };
      return isLock(old) ? { kind: 'relock', lock, old } : 400;
    case 'REFRESH_LOCK':
      return isLock(lock) ? { kind: 'refresh', lock } : 400;
    case 'UNLOCK':
      return isLock(lock) ? { kind: 'unlock', lock } : 400;
    default:
      return 501;
  }
}
