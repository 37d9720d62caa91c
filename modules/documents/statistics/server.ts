import { implement } from '#kernel/server/http/implement.ts';
import { pageOfRead } from '#kernel/server/list/paging.ts';
import { periodOf } from '#kernel/server/list/period.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { calendarOf } from '#modules/calendars/service.ts';
import { workedHours } from '#modules/tickets/service.ts';
import {
  documentStatistics,
  statisticsPage,
  type Dim,
  type DocumentFigure,
  type DocumentStatistics,
} from '../contract/statistics.ts';
import { countedBy } from './counted.ts';
import { byContent, byHandler, byReturn, gapsOf, max, readingOf } from './figures.ts';

const contentOf = { month: 'by_month', type: 'by_type', dept: 'by_dept', level: 'by_level' } as const;

/** Figures of official documents: a few statements, however many documents; of one table only its own. */
export const documentStatisticsModule = implement('document', documentStatistics, {
  async statistics({ query }, { tx, user, now }) {
    const period = periodOf(query, now);
    const { counted, shown } = await countedBy(tx, user, query, period);
    const hours = async () => workedHours(await calendarOf(tx), period);
    const gaps = async () => (scopeOf(user, 'Retrieve', statisticsPage).all ? gapsOf(tx, period) : []);
    const table = async (dim: Dim): Promise<DocumentFigure[]> => {
      if (dim === 'handler') return byHandler(tx, counted, await hours());
      if (dim === 'return') return byReturn(tx, shown);
      if (dim === 'gap') return gaps();
      return (await byContent(tx, counted, await hours()))[contentOf[dim]];
    };
    if (query.dim || query.export) return { ...pageOfRead(query, await table(query.dim ?? 'month'), max), ...period };
    const worked = await hours();
    const value: DocumentStatistics = {
      ...(await byContent(tx, counted, worked)),
      by_handler: await byHandler(tx, counted, worked),
      by_return: await byReturn(tx, shown),
      reading: await readingOf(tx, counted),
      number_gaps: await gaps(),
    };
    return { value, ...period };
  },
});
