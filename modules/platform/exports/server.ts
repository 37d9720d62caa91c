import { and, eq } from 'drizzle-orm';
import { daysLater, momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { exportCalls, keptDays } from './contract.ts';
import { removeExports } from './making.ts';
import { exportTable as e } from './tables.ts';

/** Exports made in the background: each person's own. */
export const exportsModule = implement('exports', exportCalls, {
  async list({ query }, { tx, user }) {
    const select = tx.select().from(e).where(eq(e.user_id, user.id)).$dynamic();
    const { value: rows, ...page } = await pageOf(tx, query, select, {
      by: { gmt_created: e.id },
      first: 'gmt_created',
      descending: true,
      tie: e.id,
    });
    const files = await fileCards(
      tx,
      rows.flatMap((row) => row.file_id ?? []),
      user,
    );
    const value = rows.map(({ file_id, ended_at, ...row }) => ({
      ...row,
      file: files.get(file_id ?? 0) ?? null,
      kept_until: ended_at && momentText(daysLater(momentOf(ended_at), keptDays)),
      actions: [ended_at ? 'remove' : 'cancel'],
    }));
    return { ...page, value };
  },

  async remove({ params: { id } }, { tx, user, audit }) {
    const [row] = await tx
      .select({ title: e.title })
      .from(e)
      .where(and(eq(e.id, id), eq(e.user_id, user.id)))
      .for('update');
    if (!row) throw absent('导出');
    await removeExports(tx, eq(e.id, id));
    changed(tx, 'export', [user.id]);
    audit({ type: '导出', id, title: row.title });
    return {};
  },
});
