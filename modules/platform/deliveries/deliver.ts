import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { outlast } from '#kernel/server/db/lost.ts';
import { NotAllowed } from '#kernel/server/outside/outgoing.ts';
import { deliver, enqueueDeliveries, keptBackSaid, Later, Undeliverable, type ChannelAdapters } from './service.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';

/** Seconds to wait after each failure; after the last one it is given up. */
const patience = [10, 60, 300, 1800, 7200, 21_600, 43_200];

type Delivery = typeof deliveryTable.$inferSelect;
export interface DeliverPorts {
  databases: Pick<Databases, 'write' | 'alone'>;
  adapters: ChannelAdapters;
  /** Returns whether sending is suspended at present; by default it is not. */
  quiet?(): Promise<boolean>;
  /** Returns whether its message is still valid; asked before every try, by default true. */
  wanted?(payload: Pick<Delivery, 'module' | 'object_id' | 'user_id'>): Promise<boolean>;
}

/**
 * Delivers one payload: the try is recorded before it begins, so that an interrupted one leaves its trace. The result is recorded as soon as it is
 * known, and after a database failure as soon as the database is back: anything not known to have arrived is delivered again.
 */
export function deliverTask({ databases, adapters, quiet, wanted }: DeliverPorts): Task<{ id: number }> {
  return {
    name: deliver,
    title: '向外投递',
    async run({ id }) {
      const payload = await databases.write((tx) => begin(tx, id));
      if (!payload) return;
      const kept = (await quiet?.()) ? unlet : (await wanted?.(payload)) === false ? needless : null;
      const outcome = kept ?? (await send(adapters, payload));
      await outlast(() =>
        outcome instanceof Later ? putOff(databases.alone, payload, outcome) : end(databases.alone, payload, outcome),
      );
    },
  };
}

/** Queues deliveries again that are overdue and have no job any more. */
export const resume = 'resume deliveries';
export function resumeTask({ databases }: { databases: Pick<Databases, 'write'> }): Task {
  return {
    name: resume,
    title: '找回滞留的投递',
    run: () =>
      databases.write(async (tx) => {
        const left = await tx
          .select({ id: deliveryTable.id, channel: deliveryTable.channel })
          .from(deliveryTable)
          .where(and(unsent, lt(deliveryTable.due_at, sql`now() - interval '5 minutes'`), jobless))
          .limit(1000);
        await enqueueDeliveries(tx, left);
      }),
  };
}

const unsent = inArray(deliveryTable.state, ['waiting', 'retrying']);
const jobless = sql`not exists (select 1 from graphile_worker.jobs job
  where job.key = 'delivery:' || ${deliveryTable.id} and job.attempts < job.max_attempts)`;

async function begin(tx: Db, id: number): Promise<Delivery | null> {
  const [row] = await tx
    .update(deliveryTable)
    .set({ tries: sql`${deliveryTable.tries} + 1`, gmt_modified: sql`now()` })
    .where(and(eq(deliveryTable.id, id), unsent))
    .returning();
  if (!row) return null;
  await tx.insert(deliveryTryTable).values({ delivery_id: id, number: row.tries });
  return row;
}

type Outcome = {
  state: 'sent' | 'retrying' | 'given_up' | 'cancelled';
  answer: string;
  providerId?: string | undefined;
};

const unlet: Outcome = { state: 'cancelled', answer: keptBackSaid };
const needless: Outcome = { state: 'cancelled', answer: '对方已读，或已无需处理，没有再发' };

async function send(
  adapters: ChannelAdapters,
  { key, channel, target, title, body }: Delivery,
): Promise<Outcome | Later> {
  try {
    const { providerId, answer = '' } = await adapters[channel].send({ key, target, title, body });
    return { state: 'sent', answer, providerId };
  } catch (error) {
    if (error instanceof Later) return error;
    const hopeless = error instanceof Undeliverable || error instanceof NotAllowed;
    return { state: hopeless ? 'given_up' : 'retrying', answer: (error as Error).message };
  }
}

/** The try recorded in advance is removed. */
async function putOff(db: Db, { id, channel, tries }: Delivery, { at, message }: Later): Promise<void> {
  const untried = db.$with('untried').as(
    db
      .delete(deliveryTryTable)
      .where(and(eq(deliveryTryTable.delivery_id, id), eq(deliveryTryTable.number, tries)))
      .returning({ id: deliveryTryTable.id }),
  );
  const [row] = await db
    .with(untried)
    .update(deliveryTable)
    .set({
      tries: tries - 1,
      due_at: sql`${at.toISOString()}::timestamptz`,
      answer: message,
      gmt_modified: sql`now()`,
    })
    .where(and(eq(deliveryTable.id, id), unsent))
    .returning({ id: deliveryTable.id });
  if (row) await enqueueDeliveries(db, [{ id, channel, at }]);
}

async function end(
  db: Db,
  { id, channel, tries, failures }: Delivery,
  { state, answer, providerId }: Outcome,
): Promise<void> {
  const wait = patience[failures];
  const final = state === 'retrying' && wait === undefined ? 'given_up' : state;
  const words = cutTo(answer, 500);
  const tried = db.$with('tried').as(
    db
      .update(deliveryTryTable)
      .set({ ended_at: sql`now()`, done: final === 'sent', answer: words })
      .where(and(eq(deliveryTryTable.delivery_id, id), eq(deliveryTryTable.number, tries)))
      .returning({ id: deliveryTryTable.id }),
  );
  const [row] = await db
    .with(tried)
    .update(deliveryTable)
    .set({
      state: final,
      answer: words,
      failures: final === 'sent' ? failures : failures + 1,
      gmt_modified: sql`now()`,
      ...(final === 'sent' && { sent_at: sql`now()`, provider_id: providerId?.slice(0, 300) ?? null }),
      ...(final === 'retrying' && { due_at: sql`now() + make_interval(secs => ${wait})` }),
    })
    // If it was withdrawn meanwhile, only a success is recorded.
    .where(and(eq(deliveryTable.id, id), final === 'sent' ? undefined : unsent))
    .returning({ state: deliveryTable.state, due_at: deliveryTable.due_at });
  // By the database's clock, like everything that waits.
  if (row?.state === 'retrying') await enqueueDeliveries(db, [{ id, channel, at: momentOf(row.due_at) }]);
}
