import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { folderStatistics } from '../contract/statistics.ts';

const paper = (row: { key: string }) => `/folder/detail/${row.key}`;

/** Counts of papers, reading progress, and searches without a hit. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={folderStatistics}
      help="您管理的制度文件；搜索未找到的词不记录是谁搜的"
      to={{ must_read: paper, expired: paper }}
    />
  );
}
