import { and, between, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { isDay } from '#kernel/contract/shapes.ts';
import type { RowError } from '#kernel/contract/sheet.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { importHandlers } from '#kernel/server/import/handlers.ts';
import { isAnnounced } from './announced.ts';
import { calendarImport, yearKnown, type YearState } from './contract.ts';
import { proposalOf } from './proposal.ts';
import { calendarOf, nationalDay, ownDays } from './service.ts';
import { calendarDayTable } from './tables.ts';

type Asked = Pick<Context, 'tx' | 'audit'> & { user: Viewer };
const type = '工作日历';
const inYear = (year: number) => between(calendarDayTable.day, `${year}-01-01`, `${year}-12-31`);
const isProposed = (year: number) => and(inYear(year), eq(calendarDayTable.proposed, true));

/** How far the days of a year are known. */
export async function stateOf(tx: Db, year: number): Promise<YearState> {
  if (isAnnounced(year)) return 'announced';
  if (!(await calendarOf(tx)).isProvisional(`${year}-01-01`)) return 'confirmed';
  return (await ownDays(tx, year)).some((row) => row.proposed) ? 'proposed' : 'unknown';
}

async function requireUnknown(tx: Db, year: number): Promise<void> {
  const state = await stateOf(tx, year);
  if (state === 'announced' || state === 'confirmed') throw yearKnown(year, state);
}

export const yearHandlers = {
  /** Days that are there by the house's own will stay as they are. */
  async propose({ params: { year } }: { params: { year: number } }, { tx, user, audit }: Asked) {
    await requireUnknown(tx, year);
    await tx.delete(calendarDayTable).where(isProposed(year));
    const days = proposalOf(year).map((one) => ({ ...one, works: false, proposed: true, set_by: user.id }));
    await tx.insert(calendarDayTable).values(days).onConflictDoNothing();
    audit({ type, title: `${year} 年放假建议稿`, after: { 放假: days.map((one) => `${one.day} ${one.name}`) } });
    return {};
  },

  async confirm({ params: { year } }: { params: { year: number } }, { tx, user, audit }: Asked) {
    await requireUnknown(tx, year);
    const days = await tx
      .update(calendarDayTable)
      .set({ proposed: false, set_by: user.id, gmt_modified: sql`now()` })
      .where(isProposed(year))
      .returning();
    if (days.length === 0) throw absent(`${year} 年放假建议稿`);
    audit({ type, title: `${year} 年放假安排`, before: { 状态: '建议稿' }, after: { 状态: '已确认' } });
    return {};
  },

  async discard({ params: { year } }: { params: { year: number } }, { tx, audit }: Asked) {
    const days = await tx.delete(calendarDayTable).where(isProposed(year)).returning();
    if (days.length === 0) throw absent(`${year} 年放假建议稿`);
    audit({ type, title: `${year} 年放假建议稿`, before: { 放假: days.map((one) => `${one.day} ${one.name}`) } });
    return {};
  },

  ...importHandlers(calendarImport, {
    read(lines) {
      const errors: RowError[] = [];
      const rows = lines.flatMap(({ line: row, cells: { day, kind, name } }) => {
        const wrong = (field: string, msg: string) => void errors.push({ row, field, msg });
        if (!isDay(day) || day < '2000' || day >= '2100') wrong('日期', `没有“${day}”这一天，请写成 2027-02-06`);
        const works = /^(?:上班|补班|班)$/.test(kind) ? true : /^(?:休息|放假|休)$/.test(kind) ? false : null;
        if (works === null) wrong('安排', `请填写休息或上班，现为“${kind}”`);
        if (name === '' || name.length > 30) wrong('说明', name === '' ? '请填写说明，如春节' : '最多 30 个字');
        return [{ day, works: works === true, name }];
      });
      const year = rows[0]?.day.slice(0, 4);
      for (const [at, row] of rows.entries())
        if (row.day.slice(0, 4) !== year)
          errors.push({ row: lines[at]!.line, field: '日期', msg: `与第一行不是同一年，一次只导入一年` });
      const whole = [`${year}-01-01`, nationalDay(year ?? '')].every((day) =>
        rows.some((row) => row.day === day && !row.works),
      );
      if (errors.length === 0 && lines.length > 0 && !whole)
        errors.push({
          row: lines[0]!.line,
          field: '日期',
          msg: `请导入全年的安排：缺少 ${year} 年 1 月 1 日或 10 月 1 日的放假`,
        });
      return { rows, errors };
    },
    check: () => Promise.resolve({ errors: [] }),
    /** Takes the place of a proposal; what the house set of other days of the year stays. */
    async apply(tx, user, rows) {
      await tx.delete(calendarDayTable).where(isProposed(Number(rows[0]!.day.slice(0, 4))));
      await tx
        .insert(calendarDayTable)
        .values(rows.map((row) => ({ ...row, set_by: user.id })))
        .onConflictDoUpdate({
          target: calendarDayTable.day,
          set: {
            works: sql`excluded.works`,
            name: sql`excluded.name`,
            set_by: user.id,
            proposed: false,
            gmt_modified: sql`now()`,
          },
        });
      return {};
    },
    nothing: {},
    logged: (rows) => ({ 年份: rows[0]?.day.slice(0, 4), 天数: rows.length }),
  }),
};
