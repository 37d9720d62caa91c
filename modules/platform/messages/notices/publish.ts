import { and, eq, isNull } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import { messagesChanged } from '../service.ts';
import { messageTable, receiptTable } from '../tables.ts';

const publishNotice = 'publish notice';

/** A scheduled notice is in the boxes already and becomes visible at its time; this informs the windows then. */
export function publishLater(tx: Db, id: number, at: Date): Promise<void> {
  return enqueue(tx, publishNotice, { id }, { key: `publish:${id}`, at });
}

export function publishTask(databases: Pick<Databases, 'write'>): Task<{ id: number }> {
  return {
    name: publishNotice,
    title: '到时发布通知',
    run: ({ id }) =>
      databases.write(async (tx) => {
        const people = await tx
          .select({ id: receiptTable.user_id })
          .from(receiptTable)
          .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
          .where(and(eq(messageTable.id, id), isNull(messageTable.recall_at)));
        messagesChanged(
          tx,
          people.map((person) => person.id),
        );
      }),
  };
}
