import { dayAfter } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { FiguresPage, type Period } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { leaderStatistics } from '../contract/statistics.ts';

/** The query for the schedules that a line counts. */
const counted = (line: Record<string, string>, { start, end }: Period) =>
  `/schedule/leader?${new URLSearchParams({ category: 'all', start, end, ...line })}`;
/** The later and the earlier of two days. */
const later = (one: string, other: string) => (one > other ? one : other);
const earlier = (one: string, other: string) => (one < other ? one : other);

/** Statistics of schedules, and of changes after approval. */
export default function StatisticsPage() {
  const { data: known = [] } = useCall(lookups.leaders, {});
  return (
    <FiguresPage
      figures={leaderStatistics}
      help="只统计能查看的日程；一项日程有几位领导，每位都计一项"
      to={{
        leader: (row, asked) =>
          counted({ leader: known.find((one) => String(one.id) === row.key)?.username ?? '' }, asked),
        attend: (row, asked) => counted({ attend_type: row.key }, asked),
        week: (row, asked) =>
          counted({ start: later(row.key, asked.start), end: earlier(dayAfter(row.key, 6), asked.end) }, asked),
      }}
    />
  );
}
