import { and, desc, eq, inArray, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Card, LinkedEvent, LinkModule } from '#modules/links/service.ts';
import { peopleById } from '#modules/people/service.ts';
import { statuses } from '../contract/list.ts';
import { paperViewerOf, visibleTo } from '../categories/visibility.ts';
import { paperTable } from '../tables.ts';

const shown = 10;
const { id, title, fwh, status } = paperTable;
const select = (tx: Db, condition: SQL | undefined) =>
  tx.select({ id, title, fwh, status }).from(paperTable).where(condition).$dynamic();
const cardOf = (row: Awaited<ReturnType<typeof select>>[number]): Card => ({
  id: row.id,
  title: row.title,
  sn: row.fwh,
  state: statuses[row.status as keyof typeof statuses],
  page: `/folder/detail/${row.id}`,
});

/** Papers, as they are linked. */
export const linkedPapers: LinkModule = {
  name: '制度文件',
  async seen(tx, user, ids) {
    const rows = await select(tx, and(inArray(id, [...ids]), visibleTo(await paperViewerOf(tx, user))));
    return new Map(rows.map((row) => [row.id, cardOf(row)]));
  },
  async keeps(tx, { from, to, type }) {
    if (type !== 'result' || from.module !== 'documents') return false;
    return (await tx.$count(paperTable, and(eq(id, to.id), eq(paperTable.source_document_id, from.id)))) > 0;
  },
  async find(tx, user, words) {
    const viewer = await paperViewerOf(tx, user);
    const rows = await select(tx, and(visibleTo(viewer), matches(paperTable.search, words)))
      .orderBy(desc(paperTable.publish_date), desc(id))
      .limit(shown);
    return rows.map(cardOf);
  },
  async happened(tx, ids, max) {
    const {
      creator_id: creatorId,
      gmt_created: created,
      published_at: publishedAt,
      repealed_at: repealedAt,
      repeal_reason: repealReason,
    } = paperTable;
    const rows = await tx
      .select({ id, creatorId, created, publishedAt, repealedAt, repealReason })
      .from(paperTable)
      .where(inArray(id, [...ids]));
    const people = await peopleById(
      tx,
      rows.map((row) => row.creatorId),
    );
    // Of one moment the last stands first: what is published as it is written.
    const all = rows.flatMap((row): LinkedEvent[] => {
      const about = { id: row.id, who: '' };
      return [
        ...(row.repealedAt ? [{ ...about, at: row.repealedAt, what: `废止：${row.repealReason}` }] : []),
        ...(row.publishedAt ? [{ ...about, at: row.publishedAt, what: '发布' }] : []),
        { ...about, at: row.created, who: people.get(row.creatorId)?.alias ?? '', what: '起草' },
      ];
    });
    return all.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, max);
  },
};
