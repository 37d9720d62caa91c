import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { monitorStatistics } from '../contract/statistics.ts';
import { percent } from './looks.tsx';

/** 监测统计: by probed seconds, without windows and unknown time. */
export default function StatisticsPage() {
  const project = (row: { key: string }) => `/customer/project/detail/${row.key}`;
  return (
    <FiguresPage
      figures={monitorStatistics}
      help="可用率按有检测的时间计算，维护窗口和无数据的时间除外；误报不计"
      summary={(sum) => [
        ['监测中', sum.monitors, '项'],
        ['可用率', percent(sum.uptime)],
        ['异常', sum.incidents, '次'],
        ['平均恢复', sum.mttr ?? '—', '分钟'],
        ['无数据', sum.unknown_h, '小时'],
      ]}
      to={{ project, expiry: project }}
    />
  );
}
