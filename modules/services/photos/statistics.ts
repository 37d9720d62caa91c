import { inArray, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { tenths, type Line } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { albumsBelow } from './albums/albums.ts';
import { photoState } from './contract/codes.ts';
import { photoStatistics } from './contract/statistics.ts';
import { consented } from './gallery/rows.ts';
import { ownOf } from './gallery/visible.ts';
import { albumTable, photoTable } from './tables.ts';

const idsOf = (lines: readonly Line[]) => lines.flatMap(({ key }) => (key ? [Number(key)] : []));
async function albumNames(tx: Db, lines: readonly Line[]) {
  const { id, name } = albumTable;
  const rows = await tx
    .select({ id, name })
    .from(albumTable)
    .where(inArray(id, idsOf(lines)));
  return new Map(rows.map((row) => [row.id, row.name]));
}
const peopleNames = async (tx: Db, lines: readonly Line[]) =>
  new Map([...(await peopleById(tx, idsOf(lines)))].map(([id, { alias }]) => [id, alias]));

export const statistics = figuresHandler(photoStatistics, {
  counted: async (_tx, user, { category }, { start, end }): Promise<SQL> => {
    const { all, depts } = scopeOf(user, 'Retrieve', 'photo/statistics');
    const mine = all ? sql`true` : sql`(${isAmong(photoTable.dept_id, depts)} or ${ownOf(user)})`;
    const below =
      category === undefined ? sql`true` : sql`photo.category_id = any(array(${albumsBelow(category as number)}))`;
    return sql`photo.deleted_at is null and ${mine} and ${below}
      and photo.gmt_created >= ${start}::date and photo.gmt_created < ${end}::date + 1`;
  },
  cube: (which) => ({
    rows: sql`select photo.dept_id, photo.uploader_id, photo.category_id, to_char(photo.gmt_created, 'YYYY-MM') as month,
      photo.published_at is not null and photo.state in (${inSql(photoState.shown, photoState.down)}) as adopted, photo.view_count as views,
      (select coalesce(sum(points), 0) from photo_score s where s.photo_id = photo.id) as score, not ${consented} as unconsented
      from photo where ${which}`,
    dims: {
      dept: {
        column: 'dept_id',
        most: 'score',
        unknown: '未分部门',
        names: (tx, lines) => deptNamesById(tx, idsOf(lines)),
      },
      user: { column: 'uploader_id', most: 'score', names: peopleNames },
      category: { column: 'category_id', most: 'uploaded', names: albumNames },
      month: { column: 'month' },
    },
    measures: {
      uploaded: sql`count(*)`,
      adopted: sql`count(*) filter (where adopted)`,
      rate: tenths(sql`100.0 * count(*) filter (where adopted) / nullif(count(*), 0)`),
      views: sql`sum(views)`,
      score: sql`sum(score)`,
      unconsented: sql`count(*) filter (where unconsented)`,
    },
  }),
  summary: (_tx, _of, sum) => ({
    uploaded: sum['uploaded'] ?? 0,
    adopted: sum['adopted'] ?? 0,
    rate: sum['rate'] ?? 0,
    views: sum['views'] ?? 0,
    score: sum['score'] ?? 0,
    unconsented: sum['unconsented'] ?? 0,
  }),
});
