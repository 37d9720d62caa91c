import { inArray, sql } from 'drizzle-orm';
import { daysLater, momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { nounHandlers, type NounCode } from '#kernel/server/noun/handlers.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { projectsNamed, projectsWithin, projectTable } from '#modules/services/customers/service.ts';
import { wrongSetting } from '../contract/refusals.ts';
import { windowNoun } from '../contract/windows.ts';
import { dueTable, windowTable } from '../tables.ts';

const [w, p] = [windowTable, projectTable];
const page = 'customer/project';
/** In days: an endless window would silence everything for good. */
const mostDays = 31;
const wholeDay = 24 * 60;
/** A user who sees one of its projects sees the window; changing it needs access to all of them. */
const within = (user: Viewer, code: NounCode) =>
  code === 'Retrieve'
    ? sql`exists (select from ${p} where ${p.id} = any("monitor_window"."project_ids") and ${projectsWithin(user, code, page)})`
    : sql`not exists (select from ${p} where ${p.id} = any("monitor_window"."project_ids") and not coalesce(${projectsWithin(user, 'Update', page)}, false))`;

const noun = nounHandlers(windowNoun, {
  table: w,
  noun: '维护窗口',
  title: (row) => row.title,
  search: [w.title],
  foundBy: (words) => sql`"monitor_window"."project_ids" && array${projectsNamed(words)}`,
  select: {
    project_names: sql<string>`coalesce((select string_agg(name, '、' order by name) from customer_project where id = any("monitor_window"."project_ids")), '')`,
  },
  order: { descending: true },
  scope: within,
  async check({ tx, user }, { row, before }) {
    if (row.weekly && (row.weekdays.length === 0 || row.minutes < 1))
      throw wrongSetting('每周重复的窗口，请选择星期并填写时长');
    if (row.ends_at === null ? !row.weekly : row.ends_at <= row.starts_at)
      throw wrongSetting(`结束时间须晚于开始时间 ${row.starts_at.slice(0, 16)}`);
    if (!row.weekly && momentOf(row.ends_at!) > daysLater(momentOf(row.starts_at), mostDays))
      throw wrongSetting(
        `维护窗口最长 ${mostDays} 天，结束时间 ${row.ends_at!.slice(0, 16)} 太晚；长期不看的项目请停用监测`,
      );
    if (row.weekly && new Set(row.weekdays).size === 7 && row.minutes === wholeDay)
      throw wrongSetting('每周重复的窗口不能占满一周，请减少星期或时长；长期不看的项目请停用监测');
    const reached = await tx
      .select({ id: p.id })
      .from(p)
      .where(
        sql`${p.id} = any(${sql.param(row.project_ids)}::int[]) and not ${p.is_deleted} and ${projectsWithin(user, 'Update', page)}`,
      );
    if (reached.length < row.project_ids.length) throw absent('所选的部分项目');
    return before === null ? { created_by: user.id } : {};
  },
  // Probed at once, because the nodes decide by time whether a window applies.
  after: async ({ tx }, { row, before }) => lookSoon(tx, [...(row?.project_ids ?? []), ...(before?.project_ids ?? [])]),
});
export const windowHandlers = {
  windows: noun.list,
  addWindow: noun.add,
  changeWindow: noun.change,
  removeWindow: noun.remove,
};

async function lookSoon(tx: Db, projects: readonly number[]): Promise<void> {
  await tx
    .update(dueTable)
    .set({ next_at: sql`now()` })
    .where(inArray(dueTable.project_id, [...projects]));
}
