import { and, eq } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { announceNotice, publishTask } from './publishing.ts';
import { documentNoticeTable } from './tables.ts';

/** Notifies the audience of a notice whose time has come, unless it was deleted meanwhile. */
export function documentNoticeTask(databases: Pick<Databases, 'write'>): Task<{ id: number }> {
  return {
    name: publishTask,
    title: '到时发布公文通知',
    run: ({ id }) =>
      databases.write(async (tx) => {
        const [row] = await tx
          .select()
          .from(documentNoticeTable)
          .where(and(eq(documentNoticeTable.id, id), eq(documentNoticeTable.is_deleted, false)))
          .for('update');
        if (row) await announceNotice(tx, row);
      }),
  };
}
