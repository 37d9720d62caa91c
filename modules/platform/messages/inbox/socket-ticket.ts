import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { ticketSeconds } from '../contract.ts';
import { socketTicketTable } from '../tables.ts';

const ticketBytes = 32;
const sweptAtOnce = 20;
/** The format of `issueTicket`: anything else costs no transaction. */
const wellFormed = /^[\w-]{43}$/;
const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest('hex');

/** A secret that opens one socket for this session, within a minute. Also deletes some expired ones. */
export async function issueTicket(tx: Db, user: Pick<Viewer, 'id' | 'sessionId'>): Promise<string> {
  const ticket = randomBytes(ticketBytes).toString('base64url');
  await tx.execute(sql`
    delete from socket_ticket where hash in (
      select hash from socket_ticket where expires_at < now() limit ${sweptAtOnce} for update skip locked)`);
  await tx.insert(socketTicketTable).values({
    hash: hashOf(ticket),
    session_id: user.sessionId,
    user_id: user.id,
    expires_at: sql`now() + make_interval(secs => ${ticketSeconds})`,
  });
  return ticket;
}

/** Uses a ticket up and returns its person; null if it does not exist, was used, or has expired. */
export async function redeemTicket(
  { write }: Pick<Databases, 'write'>,
  ticket: string,
): Promise<{ userId: number; sessionId: number } | null> {
  if (!wellFormed.test(ticket)) return null;
  const { hash, expires_at: expires, user_id: userId, session_id: sessionId } = socketTicketTable;
  const [row] = await write((tx) =>
    tx
      .delete(socketTicketTable)
      .where(and(eq(hash, hashOf(ticket)), gt(expires, sql`now()`)))
      .returning({ userId, sessionId }),
  );
  return row ?? null;
}
