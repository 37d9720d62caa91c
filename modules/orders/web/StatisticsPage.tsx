import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { deptFilter } from '#modules/people/widgets.tsx';
import { orderStatistics } from '../contract/statistics.ts';

/** 订单统计: how much was mended, how soon, how well, where most often and with what. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={orderStatistics}
      help="按报修时间统计。到期自动确认的按 5 分计入“含自动确认”，不计入“平均评分”"
      filters={{ team_id: deptFilter }}
      summary={(sum) => [
        ['订单', sum.count],
        ['未完', sum.open],
        ['已超时', sum.late],
        ['平均评分', sum.score ?? '—'],
        ['含自动确认', sum.score_auto === null ? '—' : `${sum.score_auto}（自动 ${sum.unrated} 张）`],
        ['材料（元）', sum.cost.toLocaleString()],
      ]}
    />
  );
}
