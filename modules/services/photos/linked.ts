import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { contains } from '#kernel/server/list/contains.ts';
import type { Card, LinkModule } from '#modules/platform/links/service.ts';
import { albumsSeen } from './gallery/visible.ts';
import { albumTable } from './tables.ts';

async function cards(tx: Db, viewer: Viewer, which: SQL): Promise<Card[]> {
  const { rows } = await tx.execute<{ id: number; title: string; status: boolean }>(sql`
    select id, name title, status from photo_category where ${which} and id = any(array(${albumsSeen(viewer)})) order by id desc limit 10`);
  return rows.map(({ status, ...row }) => ({
    ...row,
    sn: '',
    state: status ? '启用' : '停用',
    page: `/photo/list?category=${row.id}`,
  }));
}

/** Albums as linked records. */
export const albumLinks: LinkModule = {
  name: '相册',
  seen: async (tx, viewer, ids) =>
    new Map((await cards(tx, viewer, sql`id = any(${sql.param([...ids])}::int[])`)).map((card) => [card.id, card])),
  find: (tx, viewer, words) => cards(tx, viewer, words ? contains(albumTable.name, words) : sql`true`),
  happened: async () => [],
};
