import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { administratorsOf } from '#modules/workflow/workflows/service.ts';
import { eq } from 'drizzle-orm';
import { happen } from '../commands/run.ts';
import { inSavepoint, type Broken } from '../commands/savepoint.ts';
import { ticketNews } from '../notify/kinds.ts';
import { load, type Stored } from '../store/store.ts';
import { ticketTable } from '../tables.ts';

interface Trying {
  ticket: number;
  /** The stay that the work is for; absent for the ticket as a whole. */
  stay?: { token: number; visit: number };
  /** The reason that administrators read if a fault prevented it. */
  why: string;
  now: Date;
  broken: Broken;
}

/**
 * Does automatic work on a ticket, once. A fault becomes a task of the workflow's administrators, who repeat the work by setting the state; if even
 * that cannot be written, because the ticket itself is broken, they are notified. It is never retried unseen.
 */
export async function orCall(tx: Db, trying: Trying, work: (stored: Stored) => Promise<void>): Promise<void> {
  const { ticket, stay, why, now, broken } = trying;
  if (await done(tx, ticket, broken, work)) return;
  const called = await done(
    tx,
    ticket,
    () => {},
    async (stored) => {
      const token = stay ?? activeIn(stored);
      const when = { origin: { ip: '', userAgent: '', traceId: '' }, now };
      if (token) await happen(tx, stored, { type: 'stall', ...token, why }, when);
    },
  );
  if (!called) await tell(tx, trying);
}

/** True if nothing failed. */
async function done(tx: Db, ticket: number, broken: Broken, work: (stored: Stored) => Promise<void>): Promise<boolean> {
  let failed = false;
  const note: Broken = (error, id) => {
    failed = true;
    broken(error, id);
  };
  await inSavepoint(tx, { ticket, broken: note }, async () => {
    const stored = await load(tx, ticket, undefined, true);
    if (stored) await work(stored);
  });
  return !failed;
}

function activeIn({ state }: Stored): { token: number; visit: number } | undefined {
  const token = state.tokens.find((one) => one.status === 'active');
  return token && { token: token.no, visit: token.visit };
}

async function tell(tx: Db, { ticket, stay, why }: Trying): Promise<void> {
  const columns = { sn: ticketTable.sn, workflow: ticketTable.workflow_id, creator: ticketTable.creator_id };
  const [row] = await tx.select(columns).from(ticketTable).where(eq(ticketTable.id, ticket));
  if (!row) return;
  const said = {
    title: `工单 ${row.sn} 需要流程管理员处理`,
    content: `${why}；之后请调整环节或关闭工单`,
    occasion: stay ? `${stay.token}-${stay.visit}` : '',
    by: null,
  };
  await announce(tx, ticketNews.INCIDENT, { id: ticket }, said, await administratorsOf(tx, row.workflow, row.creator));
}
