import { daysOf } from '#kernel/web/kit/figures/days.ts';
import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { deptFilter } from '#modules/platform/people/widgets.tsx';
import { orderStatistics } from '../contract/statistics.ts';

/** 订单统计: counts, times, ratings, places and materials of repairs. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={orderStatistics}
      help="按报修时间统计。到期自动确认的按 5 分计入“含自动确认”，不计入“平均评分”"
      filters={{ team_id: deptFilter }}
      summary={(sum) => [
        ['订单', sum.count, '张'],
        ['未完', sum.open, '张'],
        ['已超时', sum.late, '张'],
        ['平均评分', sum.score ?? '—', '分'],
        ['含自动确认', sum.score_auto === null ? '—' : `${sum.score_auto}（自动 ${sum.unrated} 张）`],
        ['材料', sum.cost, '元'],
      ]}
      to={{
        month: (row, asked) => `/order/list?category=all&${daysOf(row.key, asked)}`,
        category: (row, { start, end }) =>
          `/order/list?${new URLSearchParams({ category: 'all', category_id: row.key, start, end })}`,
      }}
    />
  );
}
