import { and, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { isDay } from '#kernel/contract/shapes.ts';
import { charactersIn } from '#kernel/contract/words/cut.ts';
import type { RowError } from '#kernel/contract/sheet/sheet.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { importHandlers } from '#kernel/server/import/handlers.ts';
import { calendarImport, planIncomplete, yearKnown } from './contract.ts';
import { proposalOf } from './proposal.ts';
import { calendarOf, fixedDays, type HouseCalendar } from './service.ts';
import { calendarDayTable } from './tables.ts';

type Asked = Pick<Context, 'tx' | 'audit'> & { user: Viewer };
const type = '工作日历';
const ofPlan = (year: number) => eq(calendarDayTable.plan, year);
const isProposed = (year: number) => and(ofPlan(year), eq(calendarDayTable.origin, 'proposed'));

/** Returns the calendar if the days of a year are not known yet. */
async function requireUnknown(tx: Db, year: number): Promise<HouseCalendar> {
  const calendar = await calendarOf(tx);
  const state = calendar.state(year);
  if (state === 'announced' || state === 'confirmed') throw yearKnown(year, state);
  return calendar;
}

export const yearHandlers = {
  /** Days set by the organisation stay as they are. */
  async propose({ params: { year } }: { params: { year: number } }, { tx, user, audit }: Asked) {
    await requireUnknown(tx, year);
    await tx.delete(calendarDayTable).where(isProposed(year));
    const days = proposalOf(year);
    const from = { works: false, origin: 'proposed', plan: year, set_by: user.id } as const;
    await tx
      .insert(calendarDayTable)
      .values(days.map((one) => ({ ...one, ...from })))
      .onConflictDoNothing();
    audit({ type, title: `${year} 年放假建议稿`, after: { 放假: days.map((one) => `${one.day} ${one.name}`) } });
    return {};
  },

  async confirm({ params: { year } }: { params: { year: number } }, { tx, user, audit }: Asked) {
    const calendar = await requireUnknown(tx, year);
    if (calendar.state(year) !== 'proposed') throw absent(`${year} 年放假建议稿`);
    const missing = fixedDays(year).filter((day) => !calendar.own(day));
    if (missing.length > 0) throw planIncomplete(missing);
    await tx
      .update(calendarDayTable)
      .set({ origin: 'confirmed', set_by: user.id, gmt_modified: sql`now()` })
      .where(isProposed(year));
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
        if (name === '' || charactersIn(name) > 30) wrong('说明', name === '' ? '请填写说明，如春节' : '最多 30 个字');
        return [{ day, works: works === true, name }];
      });
      // Every plan has a 1 October, and only of its own year, which identifies the year of a plan that begins in December.
      const year = Number((rows.find(({ day }) => day.endsWith('-10-01')) ?? rows.at(-1))?.day.slice(0, 4));
      for (const [at, { day }] of rows.entries())
        if (day.slice(0, 4) !== String(year) && day.slice(0, 7) !== `${year - 1}-12`)
          errors.push({
            row: lines[at]!.line,
            field: '日期',
            msg: `“${day}”与 ${year} 年的安排不是同一年，一次只导入一年，可另含上一年 12 月的日子`,
          });
      const whole = fixedDays(year).every((day) => rows.some((row) => row.day === day && !row.works));
      if (errors.length === 0 && lines.length > 0 && !whole)
        errors.push({
          row: lines[0]!.line,
          field: '日期',
          msg: `请导入全年的安排：缺少 ${year} 年 1 月 1 日或 10 月 1 日的放假`,
        });
      return { rows: rows.map((row) => ({ ...row, plan: year })), errors };
    },
    check: () => Promise.resolve({ errors: [] }),
    /** Replaces an imported or proposed plan; other days set by hand stay. */
    async apply(tx, user, rows) {
      await tx.delete(calendarDayTable).where(ofPlan(rows[0]!.plan));
      await tx
        .insert(calendarDayTable)
        .values(rows.map((row) => ({ ...row, origin: 'imported' as const, set_by: user.id })))
        .onConflictDoUpdate({
          target: calendarDayTable.day,
          set: {
            works: sql`excluded.works`,
            name: sql`excluded.name`,
            set_by: user.id,
            origin: sql`excluded.origin`,
            plan: sql`excluded.plan`,
            gmt_modified: sql`now()`,
          },
        });
      return {};
    },
    nothing: {},
    logged: (rows) => ({ 年份: rows[0]?.plan, 天数: rows.length }),
  }),
};
