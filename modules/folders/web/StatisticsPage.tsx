import { Link } from 'react-router';
import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { folderStatistics } from '../contract/statistics.ts';

const link = (row: { key: string; name: string }) => <Link to={`/folder/detail/${row.key}`}>{row.name}</Link>;

/** How many papers there are, how far they are read, and what was looked for in vain. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={folderStatistics}
      help="您管理的制度文件；搜索未找到的词不记录是谁搜的"
      nameOf={{ must_read: link, expired: link }}
    />
  );
}
