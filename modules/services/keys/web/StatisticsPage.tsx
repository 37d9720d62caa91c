import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { keyStatistics } from '../contract.ts';

/** Loans by key and by month. */
export default function StatisticsPage() {
  return <FiguresPage figures={keyStatistics} help="按借用日期统计已领出的借用" />;
}
