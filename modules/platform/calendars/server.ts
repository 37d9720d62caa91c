import { eq, sql } from 'drizzle-orm';
import { dayAfter, daysBetween } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { isDay } from '#kernel/contract/shapes.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { dayPartsText } from '#modules/platform/settings/contract/office-hours.ts';
import { announced } from './announced.ts';
import { calendars, noSuchDay, yearOutOfRange, type SpecialDay } from './contract.ts';
import { calendarOf } from './service.ts';
import { calendarDayTable } from './tables.ts';
import { yearHandlers } from './years.ts';

const words = (works: boolean) => (works ? '上班' : '休息');

export const calendarsModule = implement('calendars', calendars, {
  async year({ query: { year } }, { tx }) {
    const calendar = await calendarOf(tx);
    const days = daysOf(year);
    const value = days.flatMap((day): SpecialDay[] => {
      const set = calendar.own(day);
      const source = set?.origin === 'proposed' ? 'proposed' : 'own';
      if (set) return [{ day, works: set.works, name: set.name, source }];
      const known = announced(day);
      return known ? [{ day, ...known, source: 'announced' }] : [];
    });
    return {
      year,
      state: calendar.state(year),
      workdays: days.filter((day) => calendar.works(day)).length,
      days: days.map((day) => (calendar.works(day) ? '1' : '0')).join(''),
      office_hours: dayPartsText(calendar.hours),
      value,
    };
  },

  async setDay({ params: { day }, body }, { tx, user, audit }) {
    refuseNoDay(day);
    const [before] = await tx.select().from(calendarDayTable).where(eq(calendarDayTable.day, day)).for('update');
    const row = { works: body.works, name: body.name, origin: 'own', plan: null, set_by: user.id } as const;
    await tx
      .insert(calendarDayTable)
      .values({ day, ...row })
      .onConflictDoUpdate({ target: calendarDayTable.day, set: { ...row, gmt_modified: sql`now()` } });
    audit({
      type: '工作日历',
      id: day,
      title: day,
      before: before ? { 安排: words(before.works), 说明: before.name } : null,
      after: { 安排: words(body.works), 说明: body.name },
    });
    return {};
  },

  async clearDay({ params: { day } }, { tx, audit }) {
    refuseNoDay(day);
    const [row] = await tx.delete(calendarDayTable).where(eq(calendarDayTable.day, day)).returning();
    if (!row) throw absent('日历调整');
    audit({ type: '工作日历', id: day, title: day, before: { 安排: words(row.works), 说明: row.name } });
    return {};
  },

  ...yearHandlers,
});

function refuseNoDay(day: string): void {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !isDay(day)) throw noSuchDay(day.slice(0, 20));
  if (day < '2000-01-01' || day > '2099-12-31') throw yearOutOfRange(day);
}

function daysOf(year: number): string[] {
  const first = `${year}-01-01`;
  const length = daysBetween(first, `${year}-12-31`) + 1;
  return Array.from({ length }, (_, index) => dayAfter(first, index));
}
