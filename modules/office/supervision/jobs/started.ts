import { and, eq, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Started } from '#modules/platform/started/service.ts';
import { itemState, labelOf, lightMeanings } from '../contract/codes.ts';
import { itemColumns, itemLight } from '../record/columns.ts';
import { addressOf } from '../record/news.ts';
import { module } from '../record/visibility.ts';
import { superviseTable } from '../tables.ts';
import { lightTones } from './brings.ts';

const t = superviseTable;
const ended = sql`${t.status} in (${inSql(itemState.finished, itemState.ended)})`;
/** Tones of the item states, by number. */
const itemTones = ['default', 'processing', 'cyan', 'success', 'default'] as const;

/** Items a person created, for 我创建的. */
export const superviseStarted: Started = {
  key: module,
  page: 'supervise/list',
  title: '督办事项',
  async mine(_tx, { id: person }, { words }) {
    const shown = and(eq(t.creator_id, person), sql`not ${t.is_deleted}`, matches(t.search, words));
    return sql`select ${t.id}, ${t.title}, ${t.gmt_created}, case when ${t.status} = ${inSql(itemState.draft)} then 'draft' when ${ended} then 'over' else 'running' end,
      null::int, null from ${t} where ${shown}`;
  },
  async standingOf(tx, ids) {
    if (ids.length === 0) return new Map();
    const owner = sql<string>`coalesce((select u.alias from app_user u where u.id = ${t.owner}), '')`;
    const rows = await tx
      .select({ ...itemColumns, who: owner.as('who') })
      .from(t)
      .where(isAmong(t.id, ids));
    return new Map(
      rows.map((row) => {
        const runs = itemState.is(row.status, itemState.running, itemState.applied);
        return [
          row.id,
          {
            sn: row.sn,
            state: { word: itemState.label(row.status), tone: itemTones[row.status]! },
            step: runs ? `进度 ${row.progress}%` : '',
            who: runs ? row.who : '',
            stuck: false,
            due_at: row.due_at,
            news: false,
            runs,
          },
        ];
      }),
    );
  },
  async lightsOf(tx, ids) {
    const lit = await tx.select({ id: t.id, light: itemLight }).from(t).where(isAmong(t.id, ids));
    return new Map(
      lit.flatMap(({ id: item, light }) =>
        light === 0 ? [] : [[item, { word: labelOf(lightMeanings, light), tone: lightTones[light]! }]],
      ),
    );
  },
  linkOf: (row) => addressOf(row.id),
};
