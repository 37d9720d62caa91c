import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { leaderStatistics } from '../contract/statistics.ts';

/** What leaders did, and what was changed after it was approved. */
export default function StatisticsPage() {
  return <FiguresPage figures={leaderStatistics} help="只统计能查看的日程；一项日程有几位领导，每位都计一项" />;
}
