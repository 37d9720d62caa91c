import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { workedHours } from '#modules/workflow/tickets/service.ts';
import { documentStatistics, statisticsPage } from '../contract/statistics.ts';
import { unanswered } from '../replies/replies.ts';
import { countedBy } from './counted.ts';
import { byContent, byHandler, byReturn, gapsOf, readingOf, states } from './figures.ts';

const handler = figuresHandler(documentStatistics, {
  counted: async (tx, user, asked, period) => ({
    ...(await countedBy(tx, user, asked, period)),
    period,
    hours: workedHours(await calendarOf(tx), period),
    waits: unanswered(tx),
    whole: scopeOf(user, 'Retrieve', statisticsPage).all,
  }),
  cube: ({ counted, hours, waits }) => byContent(counted, waits, hours),
  panels: {
    handler: (tx, { counted, hours }) => byHandler(tx, counted, hours),
    return: (tx, { shown }, most) => byReturn(tx, shown, most),
    gap: async (tx, { whole, period }, most) => (whole ? gapsOf(tx, period, most) : []),
  },
  async summary(tx, { counted }, sum) {
    const { total = 0, unanswered: waiting = 0, overdue = 0, late = 0, avg_hours = 0, median_hours = 0 } = sum;
    const by_act_state = Object.fromEntries(states.map((state) => [String(state), sum[`state_${state}`] ?? 0]));
    return {
      total,
      by_act_state,
      unanswered: waiting,
      overdue,
      late,
      avg_hours,
      median_hours,
      reading: await readingOf(tx, counted),
    };
  },
});

/** Statistics of official documents in a fixed number of statements; a request for one table runs only its own. */
export const documentStatisticsModule = implement(
  'documents',
  { statistics: documentStatistics.call },
  { statistics: handler },
);
