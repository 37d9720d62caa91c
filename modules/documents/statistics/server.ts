import { implement } from '#kernel/server/implement.ts';
import { scopeOf } from '#kernel/server/viewer.ts';
import { calendarOf } from '#modules/calendars/service.ts';
import { workedHours } from '#modules/tickets/service.ts';
import {
  documentStatistics,
  statisticsPage,
  type Dim,
  type DocumentFigure,
  type DocumentStatistics,
} from '../contract/statistics.ts';
import { countedBy, periodOf, type Asked } from './counted.ts';
import { byContent, byHandler, byReturn, gapsOf, readingOf } from './figures.ts';

const tableOf = {
  month: 'by_month',
  type: 'by_type',
  dept: 'by_dept',
  level: 'by_level',
  handler: 'by_handler',
  return: 'by_return',
  gap: 'number_gaps',
} as const satisfies Record<Dim, keyof DocumentStatistics>;

/** Figures of official documents: a few statements, however many documents. */
export const documentStatisticsModule = implement('document', documentStatistics, {
  async statistics({ query }, { tx, user, now }) {
    const period = periodOf(query, now);
    const { counted, shown } = await countedBy(tx, user, query, period);
    const hours = workedHours(await calendarOf(tx), period);
    const all: DocumentStatistics = {
      ...(await byContent(tx, counted, hours)),
      by_handler: await byHandler(tx, counted, hours),
      by_return: await byReturn(tx, shown),
      reading: await readingOf(tx, counted),
      number_gaps: scopeOf(user, 'Retrieve', statisticsPage).all ? await gapsOf(tx, period) : [],
    };
    return query.dim || query.export
      ? { ...pageOfRows(query, all[tableOf[query.dim ?? 'month']]), ...period }
      : { value: all, ...period };
  },
});

function pageOfRows({ page, per_page }: Asked, rows: readonly DocumentFigure[]) {
  return { value: rows.slice((page - 1) * per_page, page * per_page), total: rows.length, page, per_page };
}
