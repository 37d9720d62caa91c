import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { photoStatistics } from '../contract/statistics.ts';

/** Uploaded and adopted photos, for the yearly assessment. */
export default function StatisticsPage() {
  return <FiguresPage figures={photoStatistics} help="按上传日期统计；得分是采用时给的分，可导出用于宣传考核" />;
}
